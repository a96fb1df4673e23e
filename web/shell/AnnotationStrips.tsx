import { annotations, textOfAnnotation } from '../state/annotations';
import { goTo } from '../state/link';
import { parsePermalink } from '../state/permalink';
import { Button, Close } from '../ui/Button';
import { CopyButton } from '../views/common/CopyButton';
import { Strip } from './Strip';

/** What was written about what is open; each leads to where it was written. */
export function AnnotationStrips() {
  return (
    <>
      {annotations.value.map((one) => (
        <Strip
          key={`${one.place} ${one.text}`}
          label="Note"
          testId="annotation"
          title="Note"
          text={one.text}
        >
          <Button data-testid="annotation-show" onClick={() => goTo(parsePermalink(one.place))}>
            Show
          </Button>
          <span title="For crema digest RUN --note: the note stays with the run, and History shows it">
            <CopyButton text={textOfAnnotation(one)} title="Copy for a digest" />
          </span>
          <Close
            class="button button-icon"
            aria-label="Remove the note"
            data-testid="annotation-remove"
            onClick={() => {
              annotations.value = annotations.value.filter((other) => other !== one);
            }}
          />
        </Strip>
      ))}
    </>
  );
}

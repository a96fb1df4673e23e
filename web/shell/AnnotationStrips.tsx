import { annotations, textOfAnnotation } from '../state/annotations';
import { goTo } from '../state/link';
import { parsePermalink } from '../state/permalink';
import { Button } from '../ui/Button';
import { CopyButton } from '../views/common/CopyButton';

/** What was written about what is open; each leads to where it was written. */
export function AnnotationStrips() {
  return (
    <>
      {annotations.value.map((one) => (
        <section
          key={`${one.place} ${one.text}`}
          class="strip"
          aria-label="Note"
          data-testid="annotation"
        >
          <b>Note</b>
          <span class="strip-text cut" title={one.text}>
            {one.text}
          </span>
          <span class="strip-actions">
            <Button data-testid="annotation-show" onClick={() => goTo(parsePermalink(one.place))}>
              Show
            </Button>
            <span title="For crema digest RUN --note: the note stays with the run, and History shows it">
              <CopyButton text={textOfAnnotation(one)} title="Copy for a digest" />
            </span>
            <Button
              class="button button-icon"
              aria-label="Remove the note"
              data-testid="annotation-remove"
              onClick={() => {
                annotations.value = annotations.value.filter((other) => other !== one);
              }}
            >
              ✕
            </Button>
          </span>
        </section>
      ))}
    </>
  );
}

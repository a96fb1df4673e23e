import { sentenceCase } from '../domain/sentenceCase';
import { dismissFailure } from '../state/underWay';
import { Button } from '../ui/Button';
import { pickFiles } from './pickFiles';

export interface FailureProps {
  what: string;
  sentences: readonly string[];
  /** what else may be done */
  way?: { label: string; act: () => void } | undefined;
}

const shownAtMost = 12;

/**
 * Why something could not be opened. The page goes on: the next drop works, and what was open still
 * is.
 */
export function Failure({ what, sentences, way }: FailureProps) {
  const more = sentences.length - shownAtMost;
  return (
    <div class="failure" role="alert" data-testid="error">
      <b class="bad-mark" aria-hidden="true">
        ✕
      </b>
      <div class="failure-text">
        <h2>{what}</h2>
        <ul>
          {sentences.slice(0, shownAtMost).map((sentence) => (
            <li key={sentence}>{sentenceCase(sentence)}</li>
          ))}
          {more > 0 ? <li>and {more} more</li> : null}
        </ul>
        <div class="failure-actions row">
          {way ? (
            <Button class="button button-main" data-testid="add-dropped" onClick={way.act}>
              {way.label}
            </Button>
          ) : null}
          <Button onClick={() => pickFiles('files')}>Open another…</Button>
          <Button data-testid="dismiss-error" onClick={dismissFailure}>
            Dismiss <kbd>Esc</kbd>
          </Button>
        </div>
      </div>
    </div>
  );
}

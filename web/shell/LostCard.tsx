import { fullSentence } from '../domain/sentenceCase';
import { forgetLost, lost, reopenLost } from '../state/recovery';
import { Button } from '../ui/Button';

/** After a crash of the core: what happened, and a way back that is one click long. */
export function LostCard() {
  const now = lost.value;
  if (!now) return null;
  const what = now.titles.join(', ');
  return (
    <div class="failure" role="alert" data-testid="lost">
      <span class="failure-mark" aria-hidden="true">
        ✕
      </span>
      <div class="failure-text">
        <h2>{now.titles.length === 1 ? `${what} was closed` : `${what} were closed`}</h2>
        <p>{fullSentence(now.why)}</p>
        <div class="failure-actions">
          <Button class="button button-main" data-testid="reopen" onClick={() => void reopenLost()}>
            Open again
          </Button>
          <Button data-testid="forget-lost" onClick={forgetLost}>
            Dismiss
          </Button>
        </div>
      </div>
    </div>
  );
}

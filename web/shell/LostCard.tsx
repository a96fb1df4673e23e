import { fullSentence } from '../domain/sentenceCase';
import { forgetLost, lost, reopenLost } from '../state/recovery';

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
          <button
            type="button"
            class="button button-main"
            data-testid="reopen"
            onClick={() => void reopenLost()}
          >
            Open again
          </button>
          <button type="button" class="button" data-testid="forget-lost" onClick={forgetLost}>
            Dismiss
          </button>
        </div>
      </div>
    </div>
  );
}

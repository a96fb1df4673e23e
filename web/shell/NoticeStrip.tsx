import { notice } from '../state/notice';
import { Button } from '../ui/Button';

/**
 * A word about what was just opened: that it is open already, or that it may belong to another run.
 */
export function NoticeStrip() {
  const now = notice.value;
  if (!now) return null;
  const close = () => {
    notice.value = undefined;
  };
  const { action } = now;
  return (
    <section class="strip" role="status" aria-label="Notice" data-testid="notice">
      <b>{now.title}</b>
      <span class="strip-text" title={now.text}>
        {now.text}
      </span>
      <span class="strip-actions">
        {action ? (
          <Button
            data-testid="notice-act"
            onClick={() => {
              close();
              action.act();
            }}
          >
            {action.label}
          </Button>
        ) : null}
        <Button
          class="button button-icon"
          aria-label="Dismiss the notice"
          data-testid="notice-close"
          onClick={close}
        >
          ✕
        </Button>
      </span>
    </section>
  );
}

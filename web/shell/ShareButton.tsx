import { shareShown } from '../state/dialogs';

export function ShareButton() {
  return (
    <button
      type="button"
      class="button"
      data-testid="share-button"
      onClick={() => {
        shareShown.value = true;
      }}
    >
      Share…
    </button>
  );
}

import { shareShown } from '../state/dialogs';
import { Button } from '../ui/Button';

export function ShareButton() {
  return (
    <Button
      data-testid="share-button"
      onClick={() => {
        shareShown.value = true;
      }}
    >
      Share…
    </Button>
  );
}

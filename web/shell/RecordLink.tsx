import { recordShown } from '../state/dialogs';
import { Button } from '../ui/Button';

export function RecordLink() {
  return (
    <Button
      class="link record-link"
      data-testid="how-to-record"
      onClick={() => {
        recordShown.value = true;
      }}
    >
      How to record a bundle
    </Button>
  );
}

import { recordShown } from '../state/dialogs';

export function RecordLink() {
  return (
    <button
      type="button"
      class="link record-link"
      data-testid="how-to-record"
      onClick={() => {
        recordShown.value = true;
      }}
    >
      How to record a bundle
    </button>
  );
}

import { sentenceCase } from '../domain/sentenceCase';
import { activeRun } from '../state/runs';
import { view } from '../state/view';
import { Button } from '../ui/Button';

/** Over every view of a run that was read in part: its numbers are of that part. */
export function PartialStrip() {
  const partialNotes = activeRun.value?.partialNotes ?? [];
  const [first] = partialNotes;
  if (!first) return null;
  return (
    <section class="strip strip-warn" aria-label="Partial data" data-testid="partial">
      <span class="warn-mark" aria-hidden="true">
        ▲
      </span>
      <b>Partial</b>
      <span class="strip-text">
        {first.file}: {sentenceCase(first.message)}
        {partialNotes.length > 1 ? `, and ${partialNotes.length - 1} more` : ''}
      </span>
      <span class="strip-actions">
        <Button
          class="link"
          onClick={() => {
            view.value = 'recording';
          }}
        >
          Recording ›
        </Button>
      </span>
    </section>
  );
}

import { boundsText, type CorePart } from '../../domain/coreTime';
import { rowsOf } from '../../engine/table';
import { duration, percent, significant } from '../../plot/format';
import { cssColour } from '../../plot/palette';
import { useAnswer } from '../../state/answers';
import { setFlame } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';

/** What all of them are printed in. */
const coreSeconds = { divisor: 1, unit: 'core-s' };
/** So many are worth a look; each asks for a replay of the run. */
const most = 8;

/**
 * The functions of the analysis by their own time, and what each would save: what the pane shows
 * while no box is selected.
 */
export function OwnFunctions() {
  const under = 'available/inside_process';
  const answer = useAnswer(activeRunId.value, 'core_time_tree', selection.value, {
    under,
    depth: 1,
    most: most + 1,
  });
  const functions = rowsOf(answer.table)
    .filter((part) => part.kind === 'function')
    .slice(0, most);
  const largest = functions[0]?.share ?? 0;
  if (functions.length === 0)
    return (
      <p class="muted">
        Click a box to see how much it took, what it called and how it was called.
      </p>
    );
  return (
    <>
      <p class="muted">
        {coreSeconds.unit}; each sample is charged to your innermost function, so these add up.
      </p>
      <ul class="own-functions" data-testid="own-functions">
        {functions.map((part) => (
          <OwnFunction key={part.id} part={part} largest={largest} />
        ))}
      </ul>
    </>
  );
}

function OwnFunction({ part, largest }: { part: CorePart; largest: number }) {
  const answer = useAnswer(activeRunId.value, 'core_time_part', selection.value, {
    under: part.id,
  });
  const saves = Number(answer.table?.notes.saves ?? Number.NaN);
  const line = part.line > 0 ? `:${part.line}` : '';
  return (
    <li>
      <button
        type="button"
        class="bar-name"
        title={`${part.file}${line}`}
        onClick={() =>
          setFlame({ mode: 'sandwich', focus: `function=${part.label}@${part.file}${line}` })
        }
      >
        {part.label}
      </button>
      <b>{significant(part.core_seconds)}</b>
      <span class="own-bar">
        <i
          style={{
            width: percentWidth(part.share, largest),
            background: cssColour('--pk-user'),
          }}
        />
      </span>
      <span class="muted">
        {part.most > part.least ? boundsText(part, coreSeconds) : percent(part.share)}
      </span>
      {Number.isFinite(saves) ? (
        <span class="own-saves" title={String(answer.table?.notes.saving ?? '')}>
          twice as fast saves {duration(saves)}
        </span>
      ) : null}
    </li>
  );
}

const percentWidth = (share: number, of: number): string => `${of > 0 ? (100 * share) / of : 0}%`;

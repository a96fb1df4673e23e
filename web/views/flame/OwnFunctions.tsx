import './OwnFunctions.css';
import type { CorePart } from '../../domain/coreTime';
import { rowsOf } from '../../engine/table';
import { duration, significant } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { setFlame } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';

/** So many are worth a look; each asks for a replay of the run. */
const most = 8;

/** Within this relative error a time is one number; beyond the other nothing is said of savings. */
const oneNumber = 0.03;
const cannotTell = 0.3;

/** Half of the interval beside its middle. */
const errorOf = ({ least, most }: CorePart): number => (most - least) / (most + least);

/**
 * The functions of the analysis by what of their own time is certain, and what each would save: what
 * the pane shows while no box is selected.
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
    .slice(0, most)
    .sort((a, b) => b.least - a.least);
  const largest = Math.max(...functions.map((part) => part.most));
  if (functions.length === 0)
    return (
      <p class="muted">
        Click a box to see how much it took, what it called and how it was called.
      </p>
    );
  return (
    <>
      <p class="muted">core-s, by what is certain; hatched: possible</p>
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
      <b>
        {errorOf(part) <= oneNumber
          ? significant(part.core_seconds)
          : `${significant(part.least)} to ${significant(part.most)}`}
      </b>
      <span class="own-bar">
        <i style={{ width: `${(100 * part.least) / largest}%` }} />
        <i class="hatched" style={{ width: `${(100 * (part.most - part.least)) / largest}%` }} />
      </span>
      {saves > 0 && errorOf(part) <= cannotTell ? (
        <span class="muted" title={String(answer.table?.notes.saving ?? '')}>
          twice as fast: up to {duration(saves)} shorter
        </span>
      ) : null}
    </li>
  );
}

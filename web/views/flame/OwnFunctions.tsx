import { Button } from '../../ui/Button';
import './OwnFunctions.css';
import { type CorePart, errorOf, partLabel, timeOf } from '../../domain/coreTime';
import { cannotTell } from '../../domain/prediction';
import { rowsOf } from '../../engine/table';
import { coreTimeValue, duration } from '../../plot/format';
import { headline } from '../../state/finding';
import { setFlame } from '../../state/flame';
import { selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { useCoreTimeScale } from '../common/useCoreTimeScale';
import { ViewVerdict } from '../common/ViewVerdict';

/** So many are worth a look; each asks for a replay of the run. */
const most = 8;

/** A line is listed below its function from this share of the function's time on. */
const worthALine = 0.1;
const mostLines = 3;

/** The functions of the analysis, by what of their own time is certain. */
function useOwnFunctions(): CorePart[] {
  const answer = useAnswer('core_time_tree', selection.value, {
    under: 'available/inside_process',
    depth: 1,
    most: most + 1,
  });
  return rowsOf(answer.table)
    .filter((part) => part.kind === 'function')
    .slice(0, most)
    .sort((a, b) => b.least - a.least);
}

/** Whether tasks ran again: samples are of all of them, times of functions without the repeated. */
export function useRepeats(): boolean {
  const { table } = useAnswer('budget', selection.value);
  return rowsOf(table).some(({ part, core_seconds }) => part === 'lost_work' && core_seconds > 0);
}

/** What half of its own time would save of the run [s], and how that is known. */
function useHalved(part: CorePart | undefined): { saves: number; how: string } {
  const { table } = useAnswer(
    part ? 'core_time_part' : '',
    selection.value,
    part ? { under: part.id } : {},
  );
  return {
    saves: Number(table?.notes.saves ?? Number.NaN),
    how: String(table?.notes.saving ?? ''),
  };
}

/** The function that certainly takes most, and what half of its time would save. */
export function OwnVerdict() {
  const [first, ...others] = useOwnFunctions();
  const { saves } = useHalved(first);
  const scale = useCoreTimeScale();
  if (!first)
    return headline.value ? <ViewVerdict text="" limits="" testId="flame-verdict" /> : null;
  const [value, bounds] = timeOf(first, scale);
  const time = `${value}\u2009${scale.unit}${bounds}`;
  return (
    <ViewVerdict
      text={
        others.every(({ most }) => most <= first.least)
          ? `${partLabel(first)} takes the most of your code's time: ${time}.`
          : `${partLabel(first)} takes ${time}; another function may take more.`
      }
      limits={
        saves > 0 && errorOf(first) <= cannotTell
          ? `Twice as fast, the run could be up to ${duration(saves)} shorter.`
          : 'Saving not known.'
      }
      testId="flame-verdict"
    />
  );
}

/** Each with what it would save; `none` says why there are none. */
export function OwnFunctions({ none }: { none: string }) {
  const functions = useOwnFunctions();
  const repeats = useRepeats();
  const largest = Math.max(...functions.map((part) => part.most));
  if (functions.length === 0) return <p class="muted">{none}</p>;
  return (
    <>
      <p class="muted">
        At least to at most{repeats ? ', without repeated work' : ''}; hatched: possible
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
  const { saves, how } = useHalved(part);
  const scale = useCoreTimeScale();
  const [value, bounds] = timeOf(part, scale);
  const line = part.line > 0 ? `:${part.line}` : '';
  return (
    <li>
      <Button
        class="bar-name cut"
        title={`${part.file}${line}`}
        onClick={() =>
          setFlame({ mode: 'sandwich', focus: `function=${part.label}@${part.file}${line}` })
        }
      >
        {partLabel(part)}
      </Button>
      <span>
        <b>{value}</b>
        {'\u2009'}
        {scale.unit}
        {bounds}
      </span>
      <span class="own-bar">
        <i style={{ width: `${(100 * part.least) / largest}%` }} />
        <i class="hatched" style={{ width: `${(100 * (part.most - part.least)) / largest}%` }} />
      </span>
      <OwnLines part={part} />
      {saves > 0 && errorOf(part) <= cannotTell ? (
        <span class="muted" title={how}>
          twice as fast: up to {duration(saves)} shorter
        </span>
      ) : null}
    </li>
  );
}

/** The lines that most of it is at, where they were recorded: of all workers together. */
function OwnLines({ part }: { part: CorePart }) {
  const { table } = useAnswer(selection.value.workers ? '' : 'lines', selection.value);
  const scale = useCoreTimeScale();
  const lines = rowsOf(table)
    .filter((row) => row.function === part.label && row.file === part.file)
    .filter((row) => row.share_of_function >= worthALine)
    .slice(0, mostLines);
  if (lines.length === 0) return null;
  return (
    <ul class="own-lines">
      {lines.map(({ at, line, source, core_seconds }) => (
        <li key={line} title={`${at} ${source}`}>
          <code class="cut">
            :{line} {source}
          </code>
          <span>{coreTimeValue(core_seconds, scale)}</span>
        </li>
      ))}
    </ul>
  );
}

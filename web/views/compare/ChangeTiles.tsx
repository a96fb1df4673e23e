import { rowsOf } from '../../engine/table';
import { type Pair, runsOf, sidesOption } from '../../state/pair';
import { selection } from '../../state/selection';
import { type Answer, useAnswerOf } from '../../state/useAnswer';
import { Tile } from '../common/Tile';
import { ChangeTooltip } from './ChangeTooltip';
import { type Change, changesOf, deltaText, judgement, relativeText, valueText } from './changes';

/** Rows of the comparison, and what their tiles are called. */
const tiles: readonly { id: string; title: string; row: string }[] = [
  { id: 'elapsed', title: 'Elapsed', row: 'elapsed_time_seconds' },
  { id: 'event-rate', title: 'Event rate', row: 'event_rate_elapsed_khz' },
  { id: 'per-core', title: 'Per core', row: 'event_rate_core_khz' },
  { id: 'data-rate', title: 'Data rate', row: 'data_rate_mb_per_s' },
  { id: 'process', title: 'In process()', row: 'process_fraction' },
  { id: 'outside', title: 'Outside, per execution', row: 'outside_process_per_execution' },
  { id: 'waiting', title: 'Waiting, per task time', row: 'waiting_fraction' },
  { id: 'memory', title: 'Peak worker memory', row: 'peak_memory_bytes' },
];

/** What a verdict says of any two runs; other kinds of rows are causes. */
const causeless = ['evenly', 'unexplained', 'unpaired', 'elapsed', 'measured'];

/** Eight headline numbers: of B, of A, what changed, and whether that is better. */
export function ChangeTiles({ answer, pair }: { answer: Answer; pair: Pair }) {
  // a change with a known cause is no noise, however far runs of one job may differ
  const verdict = useAnswerOf(runsOf(pair), 'verdict', selection.value, sidesOption(pair));
  const isExplained = rowsOf(verdict.table).some(({ kind }) => !causeless.includes(kind));
  const rows = answer.table ? changesOf(answer.table, 'summary') : [];
  return (
    <section
      class={`panel tiles ${answer.pending ? 'panel-waiting' : ''}`}
      aria-label="Headline numbers of both runs"
    >
      {tiles.map(({ id, title, row }) => {
        const change = rows.find((one) => one.id === row);
        return (
          <Tile
            key={id}
            testId={`compare-tile-${id}`}
            title={title}
            explain={change && (() => <ChangeTooltip change={change} />)}
            value={change && Number.isFinite(change.b) ? valueText(change, change.b) : undefined}
            missing={answer.table && 'not recorded'}
            sub={change && `A ${valueText(change, change.a)}`}
          >
            <div class="tile-change small muted">
              {change ? <Verdict change={change} isExplained={isExplained} /> : '\u00a0'}
            </div>
          </Tile>
        );
      })}
    </section>
  );
}

/** "−19.0 % better", in the colour of what it says; grey where it says nothing. */
function Verdict({ change, isExplained }: { change: Change; isExplained: boolean }) {
  const judged = judgement(change);
  const said = judged === 'within noise' && isExplained ? 'explained above' : judged;
  const amount =
    change.unit === '1' || change.unit === '%' ? deltaText(change) : relativeText(change);
  if (said === 'same' || said === '')
    return <span class="verdict">{said === 'same' ? 'no change' : ''}</span>;
  return (
    <span class={`verdict verdict-${said.replaceAll(' ', '-')}`}>
      {amount} <span>{said}</span>
    </span>
  );
}

import type { Answer } from '../../state/answers';
import { Explained } from '../../ui/Explained';
import { ChangeTooltip } from './ChangeTooltip';
import { type Change, changesOf, deltaText, judgement, relativeText, valueText } from './changes';

/** Rows of the comparison, and what their tiles are called. */
const tiles: readonly { id: string; title: string; row: string }[] = [
  { id: 'elapsed', title: 'Elapsed', row: 'elapsed_time_seconds' },
  { id: 'event-rate', title: 'Event rate', row: 'event_rate_elapsed_khz' },
  { id: 'per-core', title: 'Per core', row: 'event_rate_core_khz' },
  { id: 'data-rate', title: 'Data rate', row: 'data_rate_gbps' },
  { id: 'process', title: 'In process()', row: 'process_fraction' },
  { id: 'outside', title: 'Outside, per execution', row: 'outside_process_per_execution' },
  { id: 'waiting', title: 'Waiting, per task time', row: 'waiting_fraction' },
  { id: 'memory', title: 'Peak worker memory', row: 'peak_memory_bytes' },
];

/** Eight headline numbers: of B, of A, what changed, and whether that is better. */
export function ChangeTiles({ answer }: { answer: Answer }) {
  const rows = answer.table ? changesOf(answer.table, 'summary') : [];
  return (
    <section
      class={`panel tiles ${answer.pending ? 'panel-waiting' : ''}`}
      aria-label="Headline numbers of both runs"
    >
      {tiles.map(({ id, title, row }) => (
        <Tile
          key={id}
          id={id}
          title={title}
          change={rows.find((change) => change.id === row)}
          known={answer.table !== undefined}
        />
      ))}
    </section>
  );
}

interface TileProps {
  id: string;
  title: string;
  change: Change | undefined;
  /** the comparison is there, with or without this number */
  known: boolean;
}

function Tile({ id, title, change, known }: TileProps) {
  return (
    <div class="tile" data-testid={`compare-tile-${id}`}>
      <div class="tile-label cut">
        {change ? (
          <Explained content={() => <ChangeTooltip change={change} />}>{title}</Explained>
        ) : (
          title
        )}
      </div>
      <div class="tile-value">
        {change && Number.isFinite(change.b) ? (
          valueText(change, change.b)
        ) : (
          <span class="missing">{known ? 'not recorded' : '\u00a0'}</span>
        )}
      </div>
      <div class="tile-sub">{change ? `A ${valueText(change, change.a)}` : '\u00a0'}</div>
      <div class="tile-change">{change ? <Verdict change={change} /> : '\u00a0'}</div>
    </div>
  );
}

/** "−19.0 % better", in the colour of what it says; grey where it says nothing. */
function Verdict({ change }: { change: Change }) {
  const said = judgement(change);
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

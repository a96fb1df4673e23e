import { Explained } from '../../charts/Explained';
import { partsText } from '../../charts/format';
import type { Table } from '../../engine/table';
import type { Answer } from '../../state/answers';
import { embedded } from '../../state/embed';
import { isFiltered, timeSelection } from '../../state/selection';
import { FactTooltip } from '../common/FactTooltip';
import { type Fact, factOf, factParts } from '../common/facts';

interface TileSpec {
  id: string;
  title: string;
  fact: string;
  /** beside the first, after a slash */
  second?: string;
  sub: (get: (id: string) => string) => string;
}

/** Pieces that are known, joined; a sub-line never says "–". */
const joined = (...pieces: string[]): string => pieces.filter((piece) => piece && !piece.includes('–')).join(' · ');

const tiles: TileSpec[] = [
  {
    id: 'elapsed',
    title: 'Elapsed',
    fact: 'elapsed_time_seconds',
    sub: () => (timeSelection.value ? 'selected time' : 'client t1 − t0'),
  },
  {
    id: 'events',
    title: 'Events',
    fact: 'total_events',
    sub: (get) => joined(`${get('num_chunks')} chunks`, `${get('lost_chunks')} lost`),
  },
  {
    id: 'event-rate',
    title: 'Event rate',
    fact: 'event_rate_elapsed_khz',
    sub: (get) => joined(`${get('total_events')} ÷ ${get('elapsed_time_seconds')}`),
  },
  {
    id: 'per-core',
    title: 'Per available core',
    fact: 'event_rate_core_khz',
    sub: (get) => joined(`${get('event_rate_cpu_total_khz')} in process()`),
  },
  {
    id: 'data-rate',
    title: 'Data rate',
    fact: 'data_rate_gbps',
    sub: (get) => joined(`${get('total_bytes_read')} read`),
  },
  {
    id: 'workers',
    title: 'Workers / cores',
    fact: 'workers_time_average',
    second: 'cores_time_average',
    // the cores alone can be known: from the scheduler, or stated by hand
    sub: (get) => joined(`peak ${get('peak_workers')} workers`) || 'workers not recorded',
  },
  {
    id: 'process',
    title: 'In process()',
    fact: 'process_fraction',
    sub: (get) => joined(`cores busy ${get('busy_fraction')}`),
  },
  {
    id: 'memory',
    title: 'Peak worker memory',
    fact: 'peak_memory_bytes',
    sub: (get) => joined(`${get('memory_utilization_peak')} of the limit`),
  },
];

/** In a small frame the last ones give way. */
const embeddedTiles = 6;

/** Eight headline numbers. */
export function Tiles({ answer }: { answer: Answer }) {
  return (
    <section
      class={`panel tiles ${embedded.value ? 'tiles-six' : ''} ${answer.pending ? 'panel-waiting' : ''}`}
      aria-label="Headline numbers"
    >
      {(embedded.value ? tiles.slice(0, embeddedTiles) : tiles).map((tile) => (
        <Tile key={tile.id} tile={tile} table={answer.table} />
      ))}
    </section>
  );
}

function Tile({ tile, table }: { tile: TileSpec; table: Table | undefined }) {
  const fact = table && factOf(table, tile.fact);
  const second = table && tile.second ? factOf(table, tile.second) : undefined;
  const get = (id: string): string => {
    const found = table && factOf(table, id);
    return found && Number.isFinite(found.value) ? partsText(factParts(found, found.value)) : '–';
  };
  const known = [fact, second].some((entry) => entry && Number.isFinite(entry.value));
  return (
    <div class="tile" data-testid={`tile-${tile.id}`}>
      <div class="tile-label">
        {fact ? (
          <Explained content={() => <TileTooltip facts={second ? [fact, second] : [fact]} />}>{tile.title}</Explained>
        ) : (
          tile.title
        )}
      </div>
      <div class="tile-value">
        {known && fact ? (
          <>
            <Value fact={fact} />
            {second ? (
              <>
                {' / '}
                <Value fact={second} />
              </>
            ) : null}
          </>
        ) : (
          <span class="missing">
            {table ? (isFiltered.value ? 'not known for this filter' : 'not recorded') : '\u00a0'}
          </span>
        )}
      </div>
      <div class="tile-sub">{known ? tile.sub(get) : '\u00a0'}</div>
    </div>
  );
}

function TileTooltip({ facts }: { facts: Fact[] }) {
  return (
    <>
      {facts.map((fact) => (
        <FactTooltip key={fact.id} fact={fact} />
      ))}
    </>
  );
}

function Value({ fact }: { fact: Fact }) {
  return (
    <>
      {factParts(fact, fact.value).map((part, index) => (
        <span key={`${part.unit}`}>
          {index > 0 ? '\u2009' : ''}
          {part.value}
          {part.unit ? <small>&#8201;{part.unit}</small> : null}
        </span>
      ))}
    </>
  );
}

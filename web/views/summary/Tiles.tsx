import { factOf, factParts } from '../../domain/facts';
import type { Table } from '../../engine/table';
import { partsText } from '../../plot/format';
import type { Answer } from '../../state/answers';
import { isFiltered } from '../../state/selection';
import { Explained } from '../../ui/Explained';
import { FactTooltip } from '../common/FactTooltip';
import { WholeRun } from '../common/WholeRun';
import { FactValue } from './FactValue';
import { type TileSpec, tiles } from './tileList';

/** Six headline numbers. */
export function Tiles({ answer }: { answer: Answer }) {
  return (
    <section
      class={answer.pending ? 'panel tiles panel-waiting' : 'panel tiles'}
      aria-label="Headline numbers"
    >
      {tiles.map((tile) => (
        <Tile key={tile.id} tile={tile} table={answer.table} />
      ))}
    </section>
  );
}

function Tile({ tile, table }: { tile: TileSpec; table: Table | undefined }) {
  const fact = table && factOf(table, tile.fact);
  const limited = table && tile.share ? factOf(table, tile.share) : undefined;
  const get = (id: string): string => {
    const found = table && factOf(table, id);
    if (!found || !Number.isFinite(found.value)) return '–';
    const text = partsText(factParts(found, found.value));
    return found.whole_run === 1 && fact?.whole_run !== 1 ? `${text} (whole run)` : text;
  };
  const known = fact !== undefined && Number.isFinite(fact.value);
  return (
    <div class="tile" data-testid={`tile-${tile.id}`}>
      <div class="tile-label">
        {fact ? (
          <Explained content={() => <FactTooltip fact={fact} />}>{tile.title}</Explained>
        ) : (
          tile.title
        )}
        {fact?.whole_run === 1 ? <WholeRun /> : null}
      </div>
      <div class="tile-value">
        {known ? (
          <FactValue fact={fact} />
        ) : (
          <span class="missing" title={fact?.note ?? ''}>
            {table ? (isFiltered.value ? 'not known' : 'not recorded') : '\u00a0'}
          </span>
        )}
      </div>
      <div class="tile-sub">{known ? tile.sub(get) : '\u00a0'}</div>
      {limited && Number.isFinite(limited.value) ? (
        <div class="tile-limit" title="of the limit" aria-hidden="true">
          <i style={{ width: `${100 * limited.value}%` }} />
        </div>
      ) : null}
    </div>
  );
}

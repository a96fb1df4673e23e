import type { FileProgress } from '../../engine/engine';
import { Tile } from '../common/Tile';
import { FactValue } from './FactValue';
import { tiles } from './tileList';

/**
 * The headline numbers as far as they stand in what was read: the bundle's own, until the whole of
 * it can be counted.
 */
export function LoadingTiles({ stored }: { stored: FileProgress['stored'] }) {
  return (
    <section
      class="panel tiles tiles-loading"
      aria-label="Headline numbers, loading"
      data-testid="loading-tiles"
    >
      {tiles.map((tile) => {
        const value = tile.stored && stored[tile.stored.id];
        const fact =
          tile.stored && typeof value === 'number' ? { ...tile.stored, value } : undefined;
        return (
          <Tile
            key={tile.id}
            testId={`loading-${tile.id}`}
            title={tile.title}
            explain={undefined}
            value={fact && <FactValue fact={fact} />}
            sub={fact ? 'as stored · loading' : 'when all is read'}
          />
        );
      })}
    </section>
  );
}

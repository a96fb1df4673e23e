import type { FileProgress } from '../../engine/engine';
import { FactValue } from './FactValue';
import { tiles } from './tileList';

/** The headline numbers that the bundle itself stores, until all of it is read. */
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
          <div class="tile" key={tile.id} data-testid={`loading-${tile.id}`}>
            <div class="tile-label small secondary cut">{tile.title}</div>
            <div class="tile-value">{fact ? <FactValue fact={fact} /> : '\u00a0'}</div>
            <div class="tile-sub tiny muted">
              {fact ? 'as stored · loading' : 'when all is read'}
            </div>
          </div>
        );
      })}
    </section>
  );
}

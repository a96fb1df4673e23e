import type { Selection } from '../../engine/engine';
import { listed } from '../../plot/format';

/**
 * What the filter leaves whole on the tracks: worker series know no chunks.
 */
export function filterLimits({ workers, datasets, files, hosts, ranges }: Selection): string {
  return listed(
    [
      (datasets || files || hosts || ranges) &&
        'worker tracks cannot be split by dataset, file, host or chunk',
      workers && 'rates are those of all workers',
    ],
    '; ',
  );
}

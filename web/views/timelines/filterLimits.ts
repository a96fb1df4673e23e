import type { Selection } from '../../engine/engine';

/**
 * What the filter leaves whole on the tracks: worker series know no chunks, chunks know no worker.
 */
export function filterLimits({ workers, datasets, files, hosts, ranges }: Selection): string {
  return [
    (datasets || files || hosts || ranges) &&
      'worker series are not split by dataset, file, host or chunk',
    workers && 'chunks carry no worker: their tracks are of all workers',
  ]
    .filter(Boolean)
    .join('; ');
}

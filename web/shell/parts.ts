import { view, viewOf } from '../state/view';
import { later } from '../ui/later';

/** What of the page comes after it can take files. */
export const Samples = later(async () => (await import('./Samples')).Samples);
export const RunHeader = later(async () => (await import('./RunHeader')).RunHeader);
export const Stage = later(async () => (await import('./Stage')).Stage);
export const FilterBar = later(async () => (await import('./FilterBar')).FilterBar);
export const LoadingTiles = later(
  async () => (await import('../views/summary/LoadingTiles')).LoadingTiles,
);
export const Help = later(async () => (await import('./Help')).Help);
export const ShareDialog = later(async () => (await import('./ShareDialog')).ShareDialog);
export const RecordDialog = later(async () => (await import('./RecordDialog')).RecordDialog);
export const Host = later(async () => (await import('../host/Host')).Host);

/** What a run is shown with, first things first. */
export const wantedByRuns = () => [RunHeader, Stage, viewOf(view.peek()).load, FilterBar];

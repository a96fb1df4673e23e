import { isOneFile } from '../state/oneFile';

/**
 * What samples.json, written by scripts/make-samples.mjs, says of the runs that lie beside the
 * page.
 */

export interface SampleRun {
  name: string;
  /** null = not recorded */
  chunks: number | null;
  events: number | null;
  elapsed_seconds: number | null;
  process_fraction: number | null;
  /** of the available core-time, in no particular order */
  budget: { part: string; fraction: number }[];
}

export interface Sample {
  title: string;
  /** beside samples.json */
  file: string;
  bytes: number;
  description: string;
  runs: SampleRun[];
}

export const samplesFolder = 'samples/';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isSample = (value: unknown): value is Sample =>
  isObject(value) &&
  typeof value.title === 'string' &&
  typeof value.file === 'string' &&
  typeof value.bytes === 'number' &&
  Array.isArray(value.runs);

/** The samples beside the page; none where there are none. */
export async function fetchSamples(): Promise<Sample[]> {
  // where nothing can be fetched, asking would only leave an error in the console
  if (isOneFile || location.protocol === 'file:') return [];
  try {
    const response = await fetch(`${samplesFolder}samples.json`);
    const list: unknown = response.ok ? await response.json() : [];
    return Array.isArray(list) ? list.filter(isSample) : [];
  } catch {
    return [];
  }
}

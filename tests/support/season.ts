/** Ten nightly runs of which the last four are slower, as digests. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const noise = (day: number) => 1 + 0.01 * (((day * 2) % 3) - 1);
/** A million events a run: 100 s and, from the seventh on, 120 s, give and take 1 %. */
const slowerSince = (day: number) => (day < 6 ? 100 : 120) * noise(day);
/** The same without a change, but for one run of 400 s. */
const slowOnce = (day: number) => (day === 4 ? 400 : 100) * noise(day);

const digestOf = (day: number, seconds: number) => ({
  crema_digest: 1,
  started_at: 1.76e9 + 86400 * day,
  labels: {
    processor: 'Zprime',
    commit: day < 6 ? 'a1' : 'b2',
    ...(day === 8 && { note: '#v=2&view=timelines slow disks' }),
  },
  answers: [
    {
      question: 'summary',
      columns: [
        { name: 'id', type: 'text', values: ['total_events', 'total_cpu_time'] },
        { name: 'label', type: 'text', values: ['Events', 'Process time'] },
        { name: 'value', type: 'number', values: [1e6, seconds] },
        { name: 'unit', type: 'text', values: ['count', 's'] },
        { name: 'better', type: 'text', values: [null, 'lower'] },
      ],
    },
  ],
});

/** The digests by the names of their files. */
const seasonOf = (secondsOf: (day: number) => number): ReadonlyMap<string, string> =>
  new Map(
    Array.from({ length: 10 }, (_, day) => [
      `run-${day}.digest.json`,
      JSON.stringify(digestOf(day, secondsOf(day))),
    ]),
  );
export const season = seasonOf(slowerSince);
export const seasonWithOutlier = seasonOf(slowOnce);

/** Writes them into `folder`, which is made. */
export async function writeSeason(folder: string, of = season): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of of) await writeFile(join(folder, name), text);
}

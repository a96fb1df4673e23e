// A season of runs, from one recorded digest: a day apart, with noise of 2 %, 10 % slower from the
// sixth in ten on.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';
import { gaussian, randomOf } from './random.mjs';

const day = 86400;
const noise = 0.02;
const step = 1.1;
/** What of the summary follows the process time, and how. */
const powers = {
  total_cpu_time: 1,
  elapsed_time_seconds: 1,
  event_rate_elapsed_khz: -1,
  event_rate_core_khz: -1,
};

/** Writes so many digests into `folder`; each value but of the summary has noise of its own. */
export function writeSeason(folder, runs) {
  const text = readFileSync(join(root, 'tests/data/digests/version-1.digest.json'), 'utf8');
  const normal = gaussian(randomOf(1));
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < runs; i += 1) {
    const digest = JSON.parse(text);
    const isSlower = i >= 0.6 * runs;
    const factor = () => (isSlower ? step : 1) * Math.exp(noise * normal());
    const whole = factor();
    digest.started_at = 1.78e9 + day * i;
    delete digest.started_naive;
    digest.labels = { ...digest.labels, commit: isSlower ? 'b2c41d7' : 'a2efe2c' };
    for (const { question, columns } of digest.answers) {
      const ids = columns.find(({ name }) => name === 'id')?.values;
      for (const column of columns) {
        const { name, values } = column;
        if (question === 'summary' && name === 'value')
          column.values = values.map(
            (value, row) => value && value * whole ** (powers[ids[row]] ?? 0),
          );
        if (name === 'seconds' || name === 'core_seconds')
          column.values = values.map((value) => value && value * factor());
      }
    }
    const name = `run-${String(i).padStart(4, '0')}.digest.json`;
    writeFileSync(join(folder, name), JSON.stringify(digest));
  }
}

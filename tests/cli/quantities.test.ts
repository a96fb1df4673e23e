/** One text per quantity, whichever command says it. */
import { expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';

const before = pathOf('ab-before');
const after = pathOf('ab-after');

/** The text of a number in `crema summary`, by its label. */
const summary = new Map(
  Array.from(
    crema(['summary', before]).stdout.matchAll(/^ {2}(\S.{31}) +(\S.*?)(?: {2}.*)?$/gm),
    ([, label = '', text = '']) => [label.trim(), text],
  ),
);

/** The baseline of a rule, as `crema check` says it. */
function baseline(id: string): string | undefined {
  const { stdout } = crema(['check', before, after, '--rule', `${id} <= 1x`]);
  return stdout
    .split('\n')
    .find((line) => line.includes(id.replaceAll('_', '\\_')))
    ?.split(' | ')[2];
}

it.each([
  ['Peak memory, one worker', 'peak_memory_bytes', / MiB$/],
  ['Bytes read (coffea)', 'total_bytes_read', / [MG]B$/],
  ['Elapsed', 'elapsed_time_seconds', / s$/],
  ['Event rate', 'event_rate_elapsed_khz', / k?Hz$/],
  ['Data rate', 'data_rate_mb_per_s', / [kM]B\/s$/],
  ['Core efficiency', 'core_efficiency', / %$/],
  ['Processor CPU', 'processor_cpu_percent', / %$/],
  ['Speedup', 'speedup_factor', / ×$/],
  ['Core-time available', 'core_seconds_available', / core-s$/],
  ['Events', 'total_events', /^[\d,]+$/],
])('%s reads the same in summary and check', (label, id, pattern) => {
  expect(summary.get(label)).toMatch(pattern);
  expect(baseline(id)).toBe(summary.get(label));
});

it('compare says the same, and differences of percentages in points', () => {
  const rows = crema(['compare', before, after])
    .stdout.split('\n')
    .filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| /, '')));
  const shares = cells.filter(([, a, b]) => a?.endsWith(' %') && b?.endsWith(' %'));
  expect(shares.length).toBeGreaterThan(0);
  for (const [, , , change, relative] of shares) {
    expect(change).toMatch(/^(?:[+−][\d.,]+|0) pp$/);
    expect(relative).toBe('');
  }
  const elapsed = cells.find(([label]) => label === 'Elapsed');
  expect(elapsed?.[1]).toBe(summary.get('Elapsed'));
  expect(elapsed?.[4]).toMatch(/^[+−][\d.]+ %$/);
});

it('a section that changed has the same change in the sentence as in the table of sections', () => {
  // 8.7 core-s of it are beyond the pace that all sections share.
  const runs = [pathOf('lab', 'healthy.zip'), pathOf('lab', 'slow-section.zip')];
  const { stdout } = crema(['compare', '--markdown', ...runs]);
  const change = /^\| model \| .* \| \+(\S+ core-s) \|/m.exec(stdout)?.[1];
  expect(change).toBe('9.51 core-s');
  expect(stdout).toContain(`+${change} (88 %) in section model`);
});

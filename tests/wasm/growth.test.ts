/**
 * How the work grows with the input: where it is doubled, the instructions that the core executes
 * double. Where each is compared with each they would be four times as many.
 */
import { expect, it } from 'vitest';
import { CoreEngine } from '../../web/engine/core';
import { countingCore } from '../support/counting';

/** A run of `count` chunks, each of a file and a dataset of its own. */
function chunks(count: number): string {
  const begin = 1_765_893_731;
  const records = Array.from({ length: count }, (_, i) => ({
    dataset: `dataset ${i}`,
    file: `root://host//file-${i}.root`,
    entry_start: 0,
    entry_stop: 1000,
    t_start: begin + i / 100,
    t_end: begin + i / 100 + 1,
    duration: 1,
    num_events: 1000,
    bytes_read: 5000,
    timing: { select: 0.5 },
    file_metadata: {
      filename: `root://host//file-${i}.root`,
      compression_ratio: 0.3,
      total_branches: 10,
      total_tree_bytes: 10_000,
      bytes_read: 5000,
    },
  }));
  return JSON.stringify({
    elapsed_time_seconds: count / 100 + 1,
    total_events: 1000 * count,
    raw_chunk_metrics: records,
  });
}

const questions = [
  'summary',
  'budget',
  'core_time_tree',
  'core_time_bins',
  'findings',
  'advice',
  'datasets',
  'access',
  'input',
  'sections',
  'concurrency',
  'quality',
] as const;

async function instructions(count: number): Promise<Record<string, number>> {
  const { crema, executed } = await countingCore();
  const engine = new CoreEngine(crema);
  const cost: Record<string, number> = {};
  let before = executed();
  const note = (what: string) => {
    cost[what] = executed() - before;
    before = executed();
  };
  const { runs } = await engine.open([{ path: 'metrics.json', data: new Blob([chunks(count)]) }]);
  note('open');
  for (const question of questions) {
    await engine.ask(question, { runs });
    note(question);
  }
  return cost;
}

it('twice as many datasets and files are twice the work', async () => {
  const half = await instructions(4000);
  const whole = await instructions(8000);
  const growth = Object.entries(whole).map(([what, is]) => [what, is / (half[what] ?? 0)] as const);
  expect(growth.filter(([, factor]) => factor > 2.4)).toEqual([]);
});

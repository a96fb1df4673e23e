/**
 * How often the page's engine calls the core, and what it hands over: counts that are the same on a
 * quiet machine and a busy one. One that has grown by more than 3 % fails; whoever means it to grow
 * stores the new one, with the reason in the commit.
 */
import { readFile } from 'node:fs/promises';
import createCrema, { type Session } from 'crema-core/crema.js';
import { expect, it } from 'vitest';
import { CoreEngine } from '../../web/engine/core';
import { fileOf } from '../support/bundles';

/** Calls of the core, and bytes of answers. */
interface Cost {
  calls: number;
  bytes: number;
}

const stored: Record<string, Cost> = {
  start: { calls: 0, bytes: 0 },
  open: { calls: 27, bytes: 233 },
  runs: { calls: 19, bytes: 1734 },
  summary: { calls: 16, bytes: 12220 },
  core_time_tree: { calls: 27, bytes: 5479 },
  findings: { calls: 12, bytes: 1635 },
  timeline: { calls: 25, bytes: 14344 },
};

const tolerance = 1.03;
/** A column more is no news. */
const few: Cost = { calls: 2, bytes: 1000 };

/** Counts what goes through the sessions that are made from now on. */
function counting(crema: Awaited<ReturnType<typeof createCrema>>): Cost {
  const cost: Cost = { calls: 0, bytes: 0 };
  const counted = (session: Session): Session =>
    new Proxy(session, {
      get(target, name) {
        // how often that is asked is a matter of time
        if (name === 'progress') return target.progress.bind(target);
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          const answer: unknown = member.apply(target, given);
          cost.calls += 1;
          if (typeof answer === 'string') cost.bytes += answer.length;
          else if (ArrayBuffer.isView(answer) && name !== 'input') cost.bytes += answer.byteLength;
          return answer;
        };
      },
    });
  const Made = crema.Session;
  crema.Session = new Proxy(Made, { construct: (_, [firstRun]) => counted(new Made(firstRun)) });
  return cost;
}

it('opening a run, and what the first views ask, cross into the core no more than they did', async () => {
  const wasmBinary = await readFile(new URL('../../build/wasm/crema.wasm', import.meta.url));
  const crema = await createCrema({ wasmBinary });
  const cost = counting(crema);
  const engine = new CoreEngine(crema);
  const now: Record<string, Cost> = {};
  const note = (what: string) => {
    now[what] = { ...cost };
    cost.calls = cost.bytes = 0;
  };
  note('start');
  const files = ['metrics.json', 'span_metrics.json', 'scheduler_info.json'];
  const { runs } = await engine.open(
    await Promise.all(files.map((name) => fileOf('local-4x1', name))),
  );
  note('open');
  for (const question of ['runs', 'summary', 'core_time_tree', 'findings', 'timeline'] as const) {
    await engine.ask(question, { runs });
    note(question);
  }
  const grown = Object.entries(now).filter(([what, { calls, bytes }]) => {
    const before = stored[what] ?? { calls: 0, bytes: 0 };
    return (
      calls > Math.max(tolerance * before.calls, before.calls + few.calls) ||
      bytes > Math.max(tolerance * before.bytes, before.bytes + few.bytes)
    );
  });
  expect(grown, `now: ${JSON.stringify(now)}`).toEqual([]);
});

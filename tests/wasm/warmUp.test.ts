import { expect, it } from 'vitest';
import { createNodeEngine } from '../../web/engine/node';
import type { TableData } from '../../web/engine/table';
import { warmUp } from '../../web/engine/warmUp';

it('warms up with a bundle that has all that the first views ask for, and leaves nothing open', async () => {
  const engine = await createNodeEngine();
  const answers = new Map<string, TableData>();
  const answer = engine.answer.bind(engine);
  engine.answer = (question, options) => {
    const table = answer(question, options);
    const name = options?.options?.search ? 'search' : question;
    // what is asked again and again is of other trees
    if (!answers.has(name)) answers.set(name, table);
    return table;
  };
  await warmUp(engine, () => false);

  const empty = [...answers].filter(([, table]) => table.rows === 0).map(([question]) => question);
  expect(empty).toEqual([]);
  expect(answers.get('files')?.rows).toBe(20);
  // 2^11 - 1 nodes, and a root above them
  expect(answers.get('flame')?.notes.nodes).toBe(2048);
  // the search finds something: all functions of two workers' trees of 2^12 - 1 nodes, which are
  // alike
  expect(answers.get('search')?.notes.matched_boxes).toBe(4095);
  expect(answer('runs').rows).toBe(0);
});

it('stops when somebody wants the core', async () => {
  const engine = await createNodeEngine();
  let asked = 0;
  engine.answer = () => {
    asked += 1;
    return { question: '', rows: 0, columns: [], strings: [], notes: {} };
  };
  await warmUp(engine, () => asked === 2);
  expect(asked).toBe(2);
});

/**
 * Bad files, several hundred: each is refused with a sentence, opened in part with data notes, or
 * harmless; and no more.
 */
import { readFile } from 'node:fs/promises';
import createCrema, { type Crema } from 'crema-core/crema.js';
import { afterAll, describe, expect, it } from 'vitest';
import { CoreEngine } from '../../web/engine/core';
import { CoreError, type DataNote } from '../../web/engine/engine';
import type { QuestionName } from '../../web/engine/questions';
import { type BadInput, damagedInputs } from '../support/hostile';
import { badByHand } from '../support/hostileByHand';

// Of the processor, which may be busy with other things: a guard against a hang, more than ten
// times what the slowest needs.
const hangSeconds = 60;
const mostHeapMegabytes = 512;
const megabyte = 2 ** 20;

type Outcome = 'refused' | 'partial' | 'opened';

interface Row extends Record<Outcome, number> {
  kind: string;
  slowest: number;
  heap: number;
}

const wasmBinary = await readFile(new URL('../../build/wasm/crema.wasm', import.meta.url));
const rows = new Map<string, Row>();

/** An engine whose memory can be looked at. */
async function watched(): Promise<{
  engine: CoreEngine;
  questions: string[];
  heapMegabytes: () => number;
}> {
  const crema: Crema = await createCrema({ wasmBinary });
  const engine = new CoreEngine(crema);
  const lens = new crema.Session();
  return {
    engine,
    questions: namesIn(lens.ask('{"question": "?"}')),
    heapMegabytes: () => lens.input().buffer.byteLength / megabyte,
  };
}

/** Whoever asks for what does not exist is told what does. */
const namesIn = (refusal: string) => (/there are ([\w, ]+)/.exec(refusal)?.[1] ?? '').split(', ');

let asked = 0;

/** Opens the files and asks what a page asks first, and some other questions in turn. */
async function outcomeOf(
  engine: CoreEngine,
  questions: string[],
  { files, name }: BadInput,
): Promise<Outcome> {
  const sentences = (dataNotes: DataNote[]) => dataNotes.map((note) => note.message);
  try {
    const { runs, dataNotes } = await engine.open(files);
    expect(runs.length, name).toBeGreaterThan(0);
    sentences(dataNotes).forEach(expectSentence);
    const [run] = runs;
    const notes = await engine.ask('quality', { runs: [run as number] });
    const severities = dataNotes.map((note): string | undefined => note.severity);
    for (let row = 0; row < notes.rows; row += 1) {
      expectSentence(notes.text('message', row) ?? '');
      severities.push(notes.text('severity', row));
    }
    expect((await engine.ask('summary', { runs: [run as number] })).rows).toBeGreaterThan(0);
    for (let count = 0; count < 6; count += 1) {
      asked += 1;
      await engine
        .ask(questions[asked % questions.length] as QuestionName, { runs: [run as number] })
        .catch(expectRefusal);
    }
    for (const one of runs) await engine.close(one);
    return severities.some((one) => one !== 'low') ? 'partial' : 'opened';
  } catch (problem) {
    expectRefusal(problem);
    return 'refused';
  }
}

function expectRefusal(problem: unknown): void {
  if (!(problem instanceof CoreError)) throw problem;
  expectSentence(problem.message);
}

/** Something that a person can read. */
function expectSentence(sentence: string): void {
  expect(sentence).toMatch(/\w+ \w+/);
  expect(sentence).not.toMatch(/undefined|\[object|std::|bad_alloc|RuntimeError|nlohmann|Aborted/);
}

async function judge(inputs: Iterable<BadInput>): Promise<void> {
  const { engine, questions, heapMegabytes } = await watched();
  expect(questions).toContain('summary');
  for (const input of inputs) {
    const row = rows.get(input.kind) ?? {
      kind: input.kind,
      refused: 0,
      partial: 0,
      opened: 0,
      slowest: 0,
      heap: 0,
    };
    rows.set(input.kind, row);
    const before = process.cpuUsage();
    row[await outcomeOf(engine, questions, input)] += 1;
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    if (process.env.CREMA_TEST_ALL)
      console.log(`${input.kind}: ${input.name}: ${seconds.toFixed(2)} s, ${heapMegabytes()} MB`);
    expect(seconds, `${input.kind}: ${input.name} [s]`).toBeLessThan(hangSeconds);
    expect(heapMegabytes(), `${input.kind}: ${input.name} [MB]`).toBeLessThan(mostHeapMegabytes);
    row.slowest = Math.max(row.slowest, seconds);
    row.heap = Math.max(row.heap, heapMegabytes());
  }
}

afterAll(() => {
  const all = [...rows.values()];
  const sum = (outcome: Outcome) => all.reduce((total, row) => total + row[outcome], 0);
  const line = (cells: (string | number)[]) =>
    cells
      .map((cell, at) => (at === 0 ? String(cell).padEnd(28) : String(cell).padStart(12)))
      .join('');
  const lines = [
    line(['bad input', 'refused', 'partial', 'opened', 'slowest [s]', 'heap [MB]']),
    ...all.map((row) =>
      line([
        row.kind,
        row.refused,
        row.partial,
        row.opened,
        row.slowest.toFixed(2),
        row.heap.toFixed(0),
      ]),
    ),
    line(['in all', sum('refused'), sum('partial'), sum('opened')]),
  ];
  console.log(lines.join('\n'));
  expect(sum('refused') + sum('partial') + sum('opened')).toBeGreaterThan(300);
});

describe('bad files do no harm', () => {
  it('recorded ones, damaged', () => judge(damagedInputs()));
  it('written by hand', async () => judge(await badByHand()));
});

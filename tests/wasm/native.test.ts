/**
 * The same question gives the same Table natively and in WebAssembly, to the last bit but for the
 * columns that come from functions of the C library.
 */
import { execFile } from 'node:child_process';
import { existsSync, openAsBlob } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { questions } from '../../scripts/contract.mjs';
import type { CoreEngine } from '../../web/engine/core';
import { createNodeEngine } from '../../web/engine/node';
import type { QuestionName } from '../../web/engine/questions';
import { tableJson } from '../../web/engine/tableJson';
import { bundle, bundleNames, fileNames, pathOf } from '../support/bundles';

const program = fileURLToPath(new URL('../../build/native/crema', import.meta.url));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crema-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** A folder with the bundle's own files alone. */
async function folderOf(name: string, within = 'one'): Promise<string> {
  const target = join(folder, within, name);
  await mkdir(target, { recursive: true });
  for (const file of await fileNames(name)) await copyFile(pathOf(name, file), join(target, file));
  return target;
}

/** What the program prints, or the sentence with which it refuses. */
async function native(paths: string[], question: string): Promise<unknown> {
  try {
    const { stdout } = await promisify(execFile)(program, ['ask', ...paths, question, '--json'], {
      maxBuffer: 1 << 28,
    });
    return JSON.parse(stdout);
  } catch (problem) {
    const { stderr } = problem as { stderr: string };
    return stderr.trim().replace(/^crema: /, '');
  }
}

async function inWebAssembly(engine: CoreEngine, question: string): Promise<unknown> {
  try {
    return tableJson(await engine.ask(question as QuestionName));
  } catch (problem) {
    return (problem as Error).message;
  }
}

/** Normal p-values: `erfc` of one C library and of another differ in their last digits. */
const fromLibrary = new Set(['chance', 'chance_then']);
const relativeDifference = 1e-12;

interface JsonTable {
  columns: { name: string; values: unknown[] }[];
}

/** `found`, where its library columns that are near those of `expected` are taken from there. */
function settled(found: unknown, expected: unknown): unknown {
  const wanted = (expected as JsonTable).columns;
  if (!Array.isArray(wanted)) return found;
  const near = (a: unknown, b: unknown): boolean =>
    typeof a === 'number' &&
    typeof b === 'number' &&
    Math.abs(a - b) <= relativeDifference * Math.abs(b);
  const columns = (found as JsonTable).columns.map((column, c) => {
    if (!fromLibrary.has(column.name)) return column;
    const values = column.values.map((value, row) => {
      const other = wanted[c]?.values[row];
      return near(value, other) ? other : value;
    });
    return { ...column, values };
  });
  return { ...(found as JsonTable), columns };
}

async function expectEqual(engine: CoreEngine, paths: string[], question: string): Promise<void> {
  const expected = await native(paths, question);
  expect(settled(await inWebAssembly(engine, question), expected), question).toEqual(expected);
}

it('finds the program', () => {
  expect(existsSync(program)).toBe(true);
});

describe('native and WebAssembly agree', () => {
  for (const name of bundleNames()) {
    it(name, async () => {
      const path = await folderOf(name);
      const engine = await createNodeEngine();
      await engine.open(await bundle(name));
      for (const { name: question } of questions()) {
        await expectEqual(engine, [path], question);
      }
    });
  }

  it('on an archive with packed files in it', async () => {
    const path = fileURLToPath(new URL('../../public/samples/local-4x1.zip', import.meta.url));
    const engine = await createNodeEngine();
    await engine.open([{ path: 'local-4x1.zip', data: await openAsBlob(path) }]);
    for (const question of ['sources', 'quality', 'profiles']) {
      await expectEqual(engine, [path], question);
    }
  });

  it('on two runs', async () => {
    const engine = await createNodeEngine();
    const paths = [];
    for (const name of ['scale-2', 'scale-4']) {
      paths.push(await folderOf(name, 'two'));
      await engine.open(await bundle(name));
    }
    for (const question of [
      ...['runs', 'compare', 'check', 'scaling', 'scaling_curve'],
      ...['history', 'history_series', 'history_levels', 'check_history'],
    ]) {
      await expectEqual(engine, paths, question);
    }
  });
});

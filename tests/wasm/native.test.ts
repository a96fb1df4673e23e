/** The same question gives the same Table natively and in WebAssembly, to the last bit. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import { createNodeEngine } from '../../web/engine/node';
import type { Column, Table } from '../../web/engine/table';
import { bundle, bundleNames, fileNames, pathOf } from '../support/bundles';

const program = fileURLToPath(new URL('../../build/native/crema', import.meta.url));

const questions = [
  'runs',
  'sources',
  'summary',
  'budget',
  'quality',
  'timeline',
  'workers',
  'throughput',
  'chunks',
  'datasets',
  'files',
  'hosts',
  'fine',
  'profiles',
];

let engine: CoreEngine;
let folder: string;

beforeAll(async () => {
  engine = await createNodeEngine();
  folder = await mkdtemp(join(tmpdir(), 'crema-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** A folder with the bundle's own files alone. */
async function folderOf(name: string): Promise<string> {
  const target = await mkdtemp(join(folder, `${name}-`));
  for (const file of await fileNames(name)) await symlink(pathOf(name, file), join(target, file));
  return target;
}

async function native(path: string, question: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(program, ['ask', path, question, '--json'], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

/** The Table in the form that the command line prints. */
function plain(table: Table): unknown {
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  const cell = (column: Column, row: number) => {
    if (column.type === 'text') return table.text(column.name, row) ?? null;
    const values = [...column.numbers.subarray(row * column.width, (row + 1) * column.width)].map(finite);
    const shown = column.type === 'flag' ? values.map((value) => (value === null ? null : value !== 0)) : values;
    return column.width > 1 ? shown : shown[0];
  };
  return {
    question: table.question,
    rows: table.rows,
    columns: table.columns.map((column) => ({
      name: column.name,
      type: column.type,
      unit: column.unit,
      values: Array.from({ length: table.rows }, (_, row) => cell(column, row)),
    })),
    notes: Object.fromEntries(
      Object.entries(table.notes).map(([name, value]) => [name, typeof value === 'number' ? finite(value) : value]),
    ),
  };
}

it('finds the program', () => {
  expect(existsSync(program)).toBe(true);
});

describe('native and WebAssembly agree', () => {
  for (const name of bundleNames()) {
    it(name, async () => {
      const path = await folderOf(name);
      // The files have the paths that the program gives them: below the folder's own name.
      const base = path.split('/').at(-1);
      const files = await bundle(name);
      const { runs } = await engine.open(
        files.map((file) => ({ ...file, path: `${base}/${file.path.split('/').at(-1)}` })),
      );
      for (const question of questions) {
        const table = await engine.ask(question, { runs });
        expect(plain(table), question).toEqual(await native(path, question));
      }
    });
  }
});

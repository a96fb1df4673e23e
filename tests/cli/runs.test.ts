/** A question of one run that is given several is answered for each. */
import { describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';

const before = pathOf('ab-before');
const after = pathOf('ab-after');

interface Table {
  rows: number;
  columns: { name: string; unit: string; values: unknown[] }[];
  notes: Record<string, unknown>;
}
const ask = (...args: string[]): Table => JSON.parse(crema(['ask', ...args, '--json']).stdout);
const column = (table: Table, name: string): unknown[] =>
  table.columns.find((one) => one.name === name)?.values ?? [];

describe('crema ask A B QUESTION', () => {
  it('has the rows of both, each with its run', () => {
    const [a, b, both] = [
      ask(before, 'summary'),
      ask(after, 'summary'),
      ask(before, after, 'summary'),
    ];
    expect(both.columns[0]).toMatchObject({ name: 'run', unit: '' });
    expect(column(both, 'run')).toEqual([
      ...Array(a.rows).fill('ab-before'),
      ...Array(b.rows).fill('ab-after'),
    ]);
    for (const name of ['id', 'value', 'stored'])
      expect(column(both, name)).toEqual([...column(a, name), ...column(b, name)]);
  });

  it('has a column that one of them has, with nothing for the other', () => {
    // one of the runs has no sections
    const plain = pathOf('no-decorator');
    const [a, b, both] = [
      ask(plain, 'chunks'),
      ask(before, 'chunks'),
      ask(plain, before, 'chunks'),
    ];
    const names = (table: Table) => table.columns.map(({ name }) => name);
    const onlyInB = names(b).filter((name) => !names(a).includes(name));
    expect(onlyInB.length).toBeGreaterThan(0);
    expect(new Set(names(both))).toEqual(new Set(['run', ...names(a), ...names(b)]));
    for (const name of onlyInB)
      expect(column(both, name)).toEqual([...Array(a.rows).fill(null), ...column(b, name)]);
  });

  it('says whose each note is', () => {
    const { notes } = ask(before, after, 'chunks');
    expect(notes['ab-before: chunks_total']).toBe(ask(before, 'chunks').notes.chunks_total);
    expect(notes['ab-after: chunks_total']).toBe(ask(after, 'chunks').notes.chunks_total);
  });

  it('does so as text and as CSV', () => {
    const csv = crema(['ask', before, after, 'datasets', '--csv']).stdout.split('\r\n');
    expect(csv[0]).toBe(
      `run,${crema(['ask', before, 'datasets', '--csv']).stdout.split('\r\n')[0]}`,
    );
    expect(csv.filter((line) => line.startsWith('ab-after,')).length).toBe(
      ask(after, 'datasets').rows,
    );
    const text = crema(['ask', before, after, 'datasets']).stdout;
    expect(text).toMatch(/^run {2,}\S/);
    expect(text).toMatch(/^ab-before .*\n(.*\n)*ab-after /m);
  });

  it('leaves a question of several runs to answer for all', () => {
    expect(ask(before, after, 'runs').rows).toBe(2);
    expect(ask(before, after, 'compare').columns[0]?.name).not.toBe('run');
  });

  it('refuses more runs than a question of two takes', () => {
    const { status, stdout, stderr } = crema([
      'ask',
      before,
      after,
      pathOf('local-4x1'),
      'flame_diff',
    ]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('flame_diff takes 2, not 3');
    expect(crema(['compare', before, after, before]).stderr).toBe(
      'crema: two bundles are compared, not 3; a -- stands between the replicates of two sides: A1 A2 -- B1 B2\n',
    );
    expect(crema(['compare', before]).stderr).toBe(
      'crema: two runs are compared, a baseline and a candidate; this bundle holds 1 run\n',
    );
  });

  it('takes replicates around a --', () => {
    const { status, stdout } = crema(['compare', before, before, '--', after]);
    expect(status).toBe(0);
    expect(stdout).toContain('ab-before and 1 more (A) → ab-after (B)');
    expect(crema(['compare', before, '--']).stderr).toContain('no bundles stand behind --');
  });
});

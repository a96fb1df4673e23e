import { describe, expect, it } from 'vitest';
import { activityColour } from '../../web/domain/activities';
import { missingText, Table } from '../../web/engine/table';
import {
  activityRows,
  contextTable,
  functionRows,
  otherContexts,
  unitsOf,
} from '../../web/views/fine/fineRows';
import { numberColumn, textColumn } from '../support/tables';

type Row = [context: string, prefix: string, activity: string, unit: string, value: number];

/** The `fine` answer with these rows; the processor is P. */
function fine(rows: Row[]): Table {
  const strings: string[] = [];
  const id = (text: string) => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const text = (name: string, place: 0 | 1 | 2 | 3) =>
    textColumn(
      name,
      rows.map((row) => (row[place] === '' ? missingText : id(row[place]))),
    );
  const number = (name: string, type: 'number' | 'flag', of: (row: Row) => number) =>
    numberColumn(name, rows.map(of), type);
  return new Table({
    question: 'fine',
    rows: rows.length,
    columns: [
      text('context', 0),
      text('prefix', 1),
      text('activity', 2),
      text('unit', 3),
      number('value', 'number', (row) => row[4]),
      number('is_processor', 'flag', (row) => (row[1] === 'P' ? 1 : 0)),
    ],
    strings,
    notes: {},
  });
}

const table = fine([
  ['execute', 'reduce', 'thread-cpu', 'seconds', 1],
  ['execute', 'P', 'thread-noncpu', 'seconds', 30],
  ['execute', 'P', 'thread-cpu', 'seconds', 10],
  ['execute', 'N/A', 'idle or other spans', 'seconds', 5],
  ['execute', 'P', 'memory-read', 'bytes', 1000],
  ['execute', 'P', 'memory-read', 'count', 7],
  ['get-data', '', 'network', 'seconds', 2],
  ['p2p', 'x', 'p2p-compress', 'seconds', 3],
]);

describe('fine metrics', () => {
  it('never mix units', () => {
    expect(unitsOf(table)).toEqual(['seconds', 'bytes', 'count']);
    expect(functionRows(table, 'bytes').map((row) => [row.prefix, row.total])).toEqual([
      ['P', 1000],
    ]);
  });

  it('are a table of what a panel sums', () => {
    const ofExecution = contextTable(table, 'seconds', 'execute', new Set(['thread-cpu']));
    expect(ofExecution.rows).toBe(2);
    expect([...ofExecution.numbers('value')]).toEqual([30, 5]);
    expect([0, 1].map((row) => ofExecution.text('prefix', row))).toEqual(['P', 'N/A']);
    expect(contextTable(table, 'seconds', 'get-data').text('prefix', 0)).toBeUndefined();
  });

  it('sort functions by their total and stack activities in one order', () => {
    const rows = functionRows(table, 'seconds');
    expect(rows.map((row) => row.prefix)).toEqual(['P', 'idle or other spans', 'reduce']);
    expect(rows[0]?.parts.map((part) => part.activity)).toEqual(['thread-cpu', 'thread-noncpu']);
    expect(rows[0]?.isProcessor).toBe(true);
    expect(rows[1]?.isIdle).toBe(true);
  });

  it('never add one context to another', () => {
    expect(activityRows(table, 'seconds', 'execute').reduce((sum, row) => sum + row.value, 0)).toBe(
      46,
    );
    expect(activityRows(table, 'seconds', 'get-data')).toEqual([{ activity: 'network', value: 2 }]);
    expect(otherContexts(table, 'seconds')).toEqual(['p2p']);
  });

  it('make one row of the smallest when there are more than twenty functions', () => {
    const many = fine(
      Array.from(
        { length: 30 },
        (_, i): Row => ['execute', `f${i}`, 'thread-cpu', 'seconds', 30 - i],
      ),
    );
    const rows = functionRows(many, 'seconds');
    expect(rows.length).toBe(20);
    expect(rows[19]?.prefix).toBe('11 others');
    expect(rows[19]?.total).toBe(66);
  });

  it('have fixed colours, and one by name for a user’s own', () => {
    expect(activityColour('p2p-compress')).toBe('--act-codec');
    expect(activityColour('my activity')).toMatch(/^--c[1-8]$/);
    expect(activityColour('my activity')).toBe(activityColour('my activity'));
  });
});

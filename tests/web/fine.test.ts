import { describe, expect, it } from 'vitest';
import { activityColour } from '../../web/domain/activities';
import { missingText, Table } from '../../web/engine/table';
import { functionsOf, otherContexts, unitsOf } from '../../web/views/fine/fineRows';
import { fineUnit } from '../../web/views/fine/fineUnits';
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
  });

  it('stack the activities of a function in one order, functions as they come', () => {
    const strings = ['P', 'thread-noncpu', 'thread-cpu', 'reduce'];
    const answer = new Table<'fine_functions'>({
      question: 'fine_functions',
      rows: 3,
      columns: [
        textColumn('function', [0, 0, 3]),
        textColumn('activity', [1, 2, 2]),
        numberColumn('value', [30, 10, 1]),
      ],
      strings,
      notes: {},
    });
    const functions = functionsOf(answer);
    expect(functions.map(([row]) => row.function)).toEqual(['P', 'reduce']);
    expect(functions[0]?.map((part) => [part.activity, part.value])).toEqual([
      ['thread-cpu', 10],
      ['thread-noncpu', 30],
    ]);
  });

  it('list idle time last, whatever it takes: it is no task', () => {
    const answer = new Table<'fine_functions'>({
      question: 'fine_functions',
      rows: 3,
      columns: [
        textColumn('function', [0, 1, 2]),
        textColumn('activity', [3, 0, 3]),
        numberColumn('is_processor', [0, 0, 1], 'flag'),
        numberColumn('is_idle', [0, 1, 0], 'flag'),
      ],
      strings: ['reduce', 'idle', 'P', 'thread-cpu'],
      notes: {},
    });
    expect(functionsOf(answer).map(([row]) => row.function)).toEqual(['P', 'reduce', 'idle']);
  });

  it('have panels of their own for contexts beside execution and transfers', () => {
    const answer = new Table<'fine_activities'>({
      question: 'fine_activities',
      rows: 3,
      columns: [textColumn('context', [0, 1, 2])],
      strings: ['execute', 'p2p', 'get-data'],
      notes: {},
    });
    expect(otherContexts(answer)).toEqual(['p2p']);
  });

  it('have fixed colours, and one by name for a user’s own', () => {
    expect(activityColour('p2p-compress')).toBe('--act-codec');
    expect(activityColour('my activity')).toMatch(/^--c[1-8]$/);
    expect(activityColour('my activity')).toBe(activityColour('my activity'));
  });
});

it('core time of less than a thousandth is no row of zeros', () => {
  const { title, text } = fineUnit('seconds');
  expect(title).toBe('core-s');
  expect([0.0000217, 0.00425, 17.3, 0].map(text)).toEqual(['<\u20090.001', '0.00425', '17.3', '0']);
  const hours = fineUnit('seconds', { divisor: 3600, unit: 'core-h' });
  expect([1, 36].map(hours.text)).toEqual(['<\u20090.001', '0.0100']);
});

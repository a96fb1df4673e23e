import { describe, expect, it } from 'vitest';
import { Table } from '../../web/engine/table';
import { tableCsv, tableTabs } from '../../web/engine/tableCsv';

/** A table of one column, `a`, with these texts. */
const ofTexts = (strings: string[]): Table =>
  new Table({
    question: 'example',
    rows: strings.length,
    columns: [
      {
        name: 'a',
        type: 'text',
        unit: '',
        formula: '',
        width: 1,
        texts: Uint32Array.from(strings.keys()),
      },
    ],
    strings,
    notes: {},
  });

describe('a spreadsheet that opens a table', () => {
  // The same list as in tests/core/test_table_text.cpp.
  const cells = [
    '=HYPERLINK("http://x")',
    "+1+cmd|' /C calc'!A0",
    '-2+3',
    '@SUM(A1)',
    '\tx',
    '-',
    '--x',
    '+-5',
    '-inf',
    '-5',
    '-.5',
    '+1.5e-3',
    '-1e999',
    'x=1',
    '5',
    '',
  ];

  it('runs no cell of the CSV as a formula, and numbers stay numbers', () => {
    expect(tableCsv(ofTexts(cells))).toBe(
      'a\r\n' +
        '"\'=HYPERLINK(""http://x"")"\r\n' +
        "'+1+cmd|' /C calc'!A0\r\n'-2+3\r\n'@SUM(A1)\r\n'\tx\r\n'-\r\n'--x\r\n" +
        "'+-5\r\n'-inf\r\n-5\r\n-.5\r\n+1.5e-3\r\n'-1e999\r\nx=1\r\n5\r\n\r\n",
    );
  });

  it('runs none that is pasted', () => {
    expect(tableTabs(ofTexts(['=1+1', '-5']))).toBe("a\n'=1+1\n-5\n");
  });
});

import { describe, expect, it } from 'vitest';
import { cutMiddle, cutText } from '../../web/plot/textWidth';
import { sortedRows, type TableColumn } from '../../web/ui/DataTable';

describe('cut texts', () => {
  const width = (text: string) => text.length * 10;
  it('keep what fits', () => {
    expect(cutText('process', '', 70, width)).toBe('process');
    expect(cutText('process', '', 60, width)).toBe('proce…');
    expect(cutText('process', '', 50, width)).toBe('');
  });

  it('is cut in the middle, where a name says least', () => {
    expect(cutMiddle('process', '', 70, width)).toBe('process');
    expect(cutMiddle('broadcast_and_apply', '', 90, width)).toBe('broa…pply');
    expect(cutMiddle('process', '', 60, width)).toBe('pro…ss');
    expect(cutMiddle('process', '', 50, width)).toBe('');
  });
});

describe('table order', () => {
  const values = [2, Number.NaN, 10, 2];
  const columns: TableColumn[] = [
    {
      id: 'n',
      title: 'n',
      align: 'right',
      cell: () => '',
      order: (row) => values[row] ?? Number.NaN,
    },
    {
      id: 't',
      title: 't',
      align: 'left',
      cell: () => '',
      order: (row) => ['file10', 'file9', '', 'file1'][row] ?? '',
    },
  ];
  it('puts missing values last, whichever way', () => {
    expect([...sortedRows(4, columns, 'n', true)]).toEqual([2, 0, 3, 1]);
    expect([...sortedRows(4, columns, 'n', false)]).toEqual([0, 3, 2, 1]);
  });
  it('sorts names by the numbers in them', () => {
    expect([...sortedRows(4, columns, 't', false)]).toEqual([3, 1, 0, 2]);
    expect([...sortedRows(4, columns, 't', true)]).toEqual([0, 1, 3, 2]);
  });
  it('leaves rows of one name in their order, whichever way', () => {
    const names = ['b', 'a', 'b', 'a', 'b'];
    const column: TableColumn = {
      id: 'x',
      title: 'x',
      align: 'left',
      cell: () => '',
      order: (row) => names[row] ?? '',
    };
    expect([...sortedRows(5, [column], 'x', false)]).toEqual([1, 3, 0, 2, 4]);
    expect([...sortedRows(5, [column], 'x', true)]).toEqual([0, 2, 4, 1, 3]);
  });
});

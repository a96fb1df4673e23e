import { expect, it } from 'vitest';
import { preloadOf } from '../../web/domain/preload';
import { Table } from '../../web/engine/table';
import { textColumn } from '../support/tables';

it('lists branches of all datasets first, then those of some', () => {
  const table = new Table<'branches'>({
    question: 'branches',
    rows: 4,
    columns: [textColumn('branch', [0, 1, 2, 3]), textColumn('always_in', [4, 5, 4, 6])],
    strings: ['Jet_pt', 'genWeight', 'nJet', 'rare', 'data, ttbar', 'ttbar', ''],
    notes: { datasets: 2 },
  });
  expect(preloadOf(table)).toEqual({
    branches: 3,
    text: [
      'preload = [',
      '    "Jet_pt",',
      '    "nJet",',
      ']',
      'if dataset in ["ttbar"]:',
      '    preload += [',
      '        "genWeight",',
      '    ]',
      '',
    ].join('\n'),
  });
});

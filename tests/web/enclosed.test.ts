import { expect, it } from 'vitest';
import { parseEnclosed } from '../../web/engine/enclosed';

it('a file of an archive in a folder counts as one of that folder, as the command line writes it', () => {
  const sources = [
    { name: 'old' },
    { name: 'run/more.zip', parent: 0 },
    { name: '', single: true },
  ];
  const files = [
    { source: 0, path: 'run/metrics.json', data: 'e30=' },
    { source: 1, path: 'profile.json', data: 'e30=' },
    { source: 2, path: 'p.folded', data: '' },
  ];
  const read = parseEnclosed(JSON.stringify({ version: 1, hash: '#v=2', sources, files }));
  expect(read?.files.map(({ source, path }) => [source, path])).toEqual([
    [0, 'run/metrics.json'],
    [0, 'run/more.zip/profile.json'],
    [2, 'p.folded'],
  ]);
  expect(read?.sources[2]).toEqual({ name: '', single: true });
  // a source can only be in one before it
  const circle = [{ name: 'a', parent: 0 }];
  expect(
    parseEnclosed(JSON.stringify({ version: 1, hash: '', sources: circle, files })),
  ).toBeUndefined();
});

/**
 * How large the core is. The figures in tests/size.json may only fall, or rise in a commit that
 * says what it bought.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import allowed from '../size.json';

const core = fileURLToPath(new URL('../../core', import.meta.url));

const files = readdirSync(core, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.[ch]pp$/.test(name))
  .map((name) => ({
    folder: dirname(name),
    lines: readFileSync(join(core, name), 'utf8').split('\n').length - 1,
  }));

const filesOf = (folder: string) => files.filter((file) => file.folder === folder).length;

it('the core has no more lines, and no folder more files, than they may have', () => {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const largest = Math.max(...files.map(({ folder }) => filesOf(folder)));
  expect(lines).toBeLessThanOrEqual(allowed.core.lines);
  expect(largest).toBeLessThanOrEqual(allowed.core.filesOfAFolder);
});

it('what has become smaller is written down', () => {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  // below that a figure would have to be changed with every commit
  expect(allowed.core.lines - lines).toBeLessThan(500);
});

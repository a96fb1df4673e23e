/** The list of the page's texts: `npm run texts`. */
import { expect, it } from 'vitest';
import { texts, textsOf } from '../../scripts/texts.mjs';

const textsIn = (source: string) => textsOf(source, 'x.tsx').map(({ text }) => text);

it('holds what people read, and nothing that only code reads', () => {
  expect(
    textsIn(`import { x } from './A b';
      const size = big ? 'as it was' : 'row-button';
      const view = <p class="wide Panel" title="Of all files">Bytes <b>read</b> {count(n)}</p>;`),
  ).toEqual(['as it was', 'Of all files', 'Bytes', 'read']);
});

it('tells what is filled in by an ellipsis, and the line', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source code
  expect(textsOf('\n`${n} of ${all} chunks`', 'x.ts')).toEqual([
    { line: 2, text: '… of … chunks' },
  ]);
});

it('has the page’s own, without words that readers did not understand', () => {
  const all = texts().map(({ text }) => text);
  expect(all.length).toBeGreaterThan(800);
  const notUnderstood = ['Differs by', 'There', 'Most in', 'Who counts what', 'idle in it'];
  expect(all.filter((text) => notUnderstood.includes(text))).toEqual([]);
});

/** docs/tutorial.md: its commands answer with the words and numbers that it quotes, of the runs that it was written from. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { crema } from '../support/program';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}docs/tutorial.md`, 'utf8');
/** What is after a heading, to the next. */
const step = (title: string) => text.split(/^## \d\. /m).find((one) => one.startsWith(title)) ?? '';
/** What the first command of a step prints, in one line. */
function answer(of: string): string {
  const [, command = ''] = /^ {4}crema (.*)$/m.exec(of) ?? [];
  const recorded = command.replaceAll(/runs\/(before|after)/g, 'tests/data/tutorial-$1');
  const { status, stdout } = crema(recorded.split(' '), '', root);
  expect(status, command).toBe(0);
  return stdout.replaceAll(/\s+/g, ' ').replaceAll('\\', '');
}

it.each([
  ['Read what is wrong', /^ {2}(\S.*(?:%|shorter\)|s))$/gm],
  ['Measure', /^> ([\s\S]*?calls\.)/gm],
])('%s', (title, quoted) => {
  const of = step(title);
  const said = answer(of);
  const quotes = [...of.matchAll(quoted)].map(([, quote = '']) => quote);
  expect(quotes).not.toHaveLength(0);
  for (const quote of quotes) expect(said).toContain(quote.replaceAll(/\n> |\s+/g, ' '));
});

it('promises a band that holds what was measured', () => {
  const command = ['ask', 'tests/data/tutorial-before', 'whatif', '--json'];
  const asked = ['--option', 'part=function:best_mass', '--option', 'times=20'];
  expect(step('Ask what')).toContain(`whatif ${asked.join(' ')}`);
  const { columns } = JSON.parse(crema([...command, ...asked], '', root).stdout) as {
    columns: { name: string; values: (number | string)[] }[];
  };
  const of = (name: string) => columns.find((one) => one.name === name)?.values ?? [];
  const row = of('scenario').indexOf('function:best_mass 20 times as fast');
  const [likely, low, high] = ['elapsed', 'elapsed_low', 'elapsed_high'].map((name) =>
    Number(Number(of(name)[row]).toPrecision(3)),
  );
  expect(step('Ask what')).toContain(`expects ${likely} s, and ${low} to ${high} s`);
  expect(step('Measure')).toContain(`the ${low} to ${high} s that step 4 promised`);
  const [, measured] = /26\.2 s became ([\d.]+) s/.exec(step('Measure')) ?? [];
  expect(Number(measured)).toBeGreaterThan(low ?? Number.NaN);
  expect(Number(measured)).toBeLessThan(high ?? Number.NaN);
});

it('misses nothing in a recording of processes that only Dask would say', () => {
  const { stdout } = crema(['summary', 'tests/data/tutorial-before'], '', root);
  expect(stdout).not.toContain('cannot be seen');
});

it('mends a function that its analysis has', () => {
  const [, name = ''] = /```python\ndef (\w+)/.exec(step('Mend it')) ?? [];
  expect(readFileSync(`${root}docs/zprime.py`, 'utf8')).toContain(`def ${name}(`);
});

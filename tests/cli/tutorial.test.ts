/** docs/tutorial.md: its commands answer, with the words and numbers that it quotes. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { crema } from '../support/program';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}docs/tutorial.md`, 'utf8');
/** What is after a heading, to the next. */
const step = (title: string) => text.split(/^## \d\. /m).find((one) => one.startsWith(title)) ?? '';
/** What the command of a step prints, in one line. */
function answer(of: string): string {
  const [, command = ''] = /^ {4}crema (.*)$/m.exec(of) ?? [];
  const { status, stdout } = crema(command.split(' '), '', root);
  expect(status, command).toBe(0);
  return stdout.replaceAll(/\s+/g, ' ');
}

it.each([
  // the lines of the block
  ['Look at the whole', /^ {2}(\S.*%)$/gm],
  // the first column of the table
  ['Read the findings', /^\| (\d.*?) \|/gm],
  ['Look closer', /`(dimuon_candidates)`/g],
  ['Ask for settings', /`(client = .*?)`|what to expect: (.*? instead of 1 min 19\.5 s)/g],
  ['Change it', /> ([\s\S]*?parts\.)/g],
])('%s', (title, quoted) => {
  const of = step(title);
  const said = answer(of);
  const quotes = [...of.matchAll(quoted)].map(([, first, second]) => first ?? second ?? '');
  expect(quotes).not.toHaveLength(0);
  for (const quote of quotes) expect(said).toContain(quote.replaceAll(/\n> |\s+/g, ' '));
});

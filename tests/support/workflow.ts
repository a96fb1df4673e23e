/** Steps of workflows and actions, run as a runner of GitHub runs them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The commands of the step of that name in a file of the checkout, as the runner's shell gets them. */
export function stepOf(file: string, name: string): string {
  const text = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
  const [, step = ''] = text.split(`name: ${name}\n`);
  const [, indent = '', kind, commands = ''] =
    /\n( *)run: (\||)\n?([\s\S]*?)(?=\n\s*\n|\n {4,6}[-#] ?|$)/.exec(`\n${step}`) ?? [];
  return kind ? commands.replaceAll(new RegExp(`^${indent}  `, 'gm'), '') : commands;
}

/** How a runner calls the shell of a step. */
export const runnerShell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c'];

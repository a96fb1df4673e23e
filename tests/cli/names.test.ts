/** A name that there is not is an error that says which there are, and which was probably meant. */
import { describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';

const run = pathOf('ab-before');
const other = pathOf('local-4x1');

/** What `crema` refuses with, after its own name; a test fails when it does not refuse. */
function refusal(...args: string[]): string {
  const { status, stdout, stderr } = crema(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  return stderr.replace(/^crema: /, '').trimEnd();
}

describe('crema names what there is', () => {
  it('of commands', () => {
    expect(refusal('sumary', run)).toBe(
      'no command sumary; there are summary, ask, export, compare, check, bisect, watch, digest, history, questions, man, completions. Did you mean summary?',
    );
    expect(refusal()).toMatch(
      /^Crema reads [\s\S]* {2}summary +a report[\s\S]*no command was given$/,
    );
    expect(refusal('help', 'sumary')).toMatch(/^no command sumary; /);
    expect(refusal(run)).toBe(`no command ${run}; crema summary ${run} is a report of it`);
    expect(refusal('open', run)).toBe(
      'crema open is a command of the Python package (docs/python.md)',
    );
  });

  it('of options, whatever else is missing', () => {
    expect(refusal('ask', run, 'chunks', '--dataste', 'ttbar')).toMatch(
      /^no option --dataste; there are --help, .*--dataset.* Did you mean --dataset\?$/,
    );
    expect(refusal('export', run, '--too=svg')).toMatch(
      /^no option --too; .* Did you mean --to\?$/,
    );
    expect(refusal('--versoin')).toMatch(/ Did you mean --version\?$/);
    expect(refusal('--bogus', 'summary', run)).toMatch(/^no option --bogus; there are --help/);
    expect(refusal('sumary', 'summary', run)).toMatch(/^no command sumary; /);
  });

  it('of questions, before any file is read', () => {
    expect(refusal('ask', 'no-such-folder', 'budgt')).toMatch(
      /^there is no such question: budgt; there are runs, sources, summary, .* Did you mean budget\?$/,
    );
  });

  it('and says that the question comes last', () => {
    expect(refusal('ask', 'findings', run)).toBe(
      'the question comes last: crema ask BUNDLE... findings',
    );
  });

  it('of options of a question, and of their values', () => {
    expect(refusal('ask', run, 'worker_matrix', '--option', 'seris=memory')).toMatch(
      /^there is no such option: seris; there are series, bins, .* Did you mean series\?$/,
    );
    expect(refusal('ask', run, 'worker_matrix', '--option', 'series=memry')).toMatch(
      /series=memry; there are .*memory.* Did you mean memory\?$/,
    );
    expect(refusal('ask', run, 'worker_matrix', '--option', 'bins=0')).toContain(
      'bins=0 is not a whole number between 1 and 10000',
    );
    expect(refusal('ask', run, 'runs', '--option', 'a=b')).toBe(
      'there is no such option: a; there are none',
    );
    expect(refusal('ask', run, 'runs', '--option', 'a')).toBe('--option a is not KEY=VALUE');
  });

  it('of export formats, and their options', () => {
    expect(refusal('export', 'no-such-folder', '--to', 'speedscpe')).toBe(
      'there is no such export format: speedscpe; there are speedscope, folded, svg, functions, digest, json, csv, perfetto, html. ' +
        'Did you mean speedscope?',
    );
    expect(refusal('export', run, '--to', 'folded', '--leaves', 'forsed')).toMatch(
      /Did you mean forced\?$/,
    );
    expect(refusal('export', run, '--to', 'folded', '--profile', 'nowhere')).toContain('nowhere');
  });

  it('of shells', () => {
    expect(refusal('completions', 'fishy')).toBe(
      'no completions for fishy; there are bash, zsh, fish. Did you mean fish?',
    );
  });

  it('of datasets, workers, files, hosts and task prefixes', () => {
    const datasets = crema(['ask', run, 'datasets', '--csv'])
      .stdout.split('\r\n')
      .slice(1, -1)
      .map((row) => row.split(',', 1)[0]);
    expect(datasets.length).toBeGreaterThan(1);
    expect(refusal('ask', run, 'chunks', '--dataset', `${datasets[0]}x`)).toBe(
      `the selection cannot be used: no dataset ${datasets[0]}x; there are ${datasets.sort().join(', ')}. ` +
        `Did you mean ${datasets[0]}?`,
    );
    for (const [flag, what] of [
      ['--worker', 'worker'],
      ['--file', 'file'],
      ['--host', 'host'],
      ['--prefix', 'task prefix'],
    ] as const)
      expect(refusal('ask', run, 'chunks', flag, 'nowhere')).toMatch(
        new RegExp(`^the selection cannot be used: no ${what} nowhere; there (are|is) \\S`),
      );
  });

  it('in every command that takes them', () => {
    expect(refusal('compare', run, run, '--dataset', 'nowhere')).toContain(
      'no dataset nowhere; there are ',
    );
    expect(refusal('export', run, '--to', 'folded', '--prefix', 'nowhere')).toContain(
      'no task prefix nowhere; there ',
    );
    expect(
      refusal('export', run, '--to', 'html', '--page', 'none', '--dataset', 'nowhere'),
    ).toContain('no dataset nowhere');
  });
});

it('a name that one of several runs has is none to complain of', () => {
  const workers = crema(['ask', run, 'workers', '--csv']).stdout.split('\r\n');
  const worker = /tcp:[^,]+/.exec(workers[1] ?? '')?.[0] ?? '';
  expect(crema(['ask', run, other, 'workers', '--worker', worker])).toMatchObject({
    status: 0,
    stderr: '',
  });
});

it('help and refusals name positional arguments as people read them', () => {
  for (const [command, arguments_] of [
    ['ask', 'BUNDLE... QUESTION'],
    ['compare', 'A B'],
    ['check', 'BASELINE CANDIDATE'],
    ['summary', 'BUNDLE...'],
    ['watch', 'FOLDER'],
    ['completions', 'SHELL'],
  ] as const) {
    const help = crema([command, '--help']).stdout;
    expect(help).toContain(`\nUsage: crema ${command} ${arguments_} [OPTIONS]\n`);
    expect(help).toMatch(new RegExp(`\nArguments:\n {2}${arguments_} {2,}\\w`));
    expect(refusal(command)).toBe(`${arguments_} is required`);
  }
  expect(refusal('ask', '--select')).toContain('--select');
  expect(refusal('export', run)).toMatch(/^--to is required: speedscope\|folded\|/);
});

it('help names every option, what it takes and whether it must be given', () => {
  const help = crema(['export', '--help']).stdout;
  expect(help).toMatch(/^ {2}-o, --output PATH {2,}file or folder/m);
  expect(help).toMatch(/^ {2}--to \S+\n {30}the format; .*\(required\)$/m);
  for (const line of help.split('\n'))
    if (line.startsWith('   ')) expect(line.length).toBeLessThanOrEqual(100);
});

it('help is given wherever it is asked for', () => {
  expect(crema(['ask', '--help']).stdout).toContain('Questions:\n  runs ');
  expect(crema(['ask', run, '--help'])).toMatchObject({ status: 0, stderr: '' });
  expect(crema(['export', '--help']).stdout).toContain(
    'speedscope|folded|svg|functions|digest|json|csv|perfetto|html',
  );
  const { status, stdout } = crema(['ask', 'worker_matrix', '--help']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^worker_matrix: one series of every worker over time/);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(' stat how values within a bin are combined');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('(mean, min, max or tick; default mean)');
});

it('a time range may be open on a side, and an empty one is refused', () => {
  const chunksOf = (range: string) =>
    crema(['ask', run, 'chunks', '--option', 'columns=t_start', '--csv', '--select', range])
      .stdout.trim()
      .split('\r\n').length - 1;
  const all = chunksOf(':1000');
  expect(chunksOf('0:1000')).toBe(all);
  expect(chunksOf(':5')).toBe(chunksOf('-1000:5'));
  expect(chunksOf('5:')).toBe(chunksOf('5:1000'));
  expect(chunksOf(':5')).toBeLessThan(all);
  for (const range of ['', ':', '5'])
    expect(refusal('ask', run, 'chunks', '--select', range)).toBe(
      `--select "${range}" is not BEGIN:END in seconds`,
    );
});

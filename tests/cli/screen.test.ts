/** What a person sees on a terminal: a screen of its width, coloured where colours are wanted. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema, program } from '../support/program';

const before = pathOf('ab-before');
const after = pathOf('ab-after');

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs `crema` in a terminal of that many columns: its output, and how it ended. */
function onTerminal(
  args: readonly string[],
  columns = 80,
  env: Record<string, string> = {},
): { text: string; status: number | null } {
  const command = `stty cols ${columns} && ${[program, ...args].map(quoted).join(' ')}`;
  const { NO_COLOR: _, ...inherited } = process.env;
  const { stdout, status } = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    input: '',
    env: { ...inherited, TERM: 'xterm', ...env },
  });
  return { text: stdout.replaceAll('\r', ''), status };
}

/** A container may have no terminals to give: without /dev/pts. */
const hasNone = spawnSync('script', ['-qec', 'true', '/dev/null'], { input: '' }).status !== 0;

const esc = '\u001b';
const uncoloured = (text: string) => text.replaceAll(new RegExp(`${esc}\\[\\d+m`, 'g'), '');
const widest = (text: string) =>
  Math.max(
    ...uncoloured(text)
      .split('\n')
      .map((line) => [...line].length),
  );

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crema-screen-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(hasNone)('compare', () => {
  it('is one screen: the sentence, what is not like for like, five rows in colour', () => {
    const { text, status } = onTerminal(['compare', before, after]);
    expect(status).toBe(0);
    const lines = uncoloured(text).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(lines[0]).toBe('ab-before (A) → ab-after (B)');
    const said = lines.join(' ');
    expect(said).toContain('B takes 2.27 times as long');
    expect(said).toContain('Not like for like: chunks 122 → 243');
    expect(said).not.toMatch(/\*\*|<details>|\|/);
    expect(lines.filter((line) => /(?:worse|better)$/.test(line))).toHaveLength(5);
    expect(text).toContain(`${esc}[31mworse${esc}[0m`);
  });

  it('is Markdown where it is asked for, and where nobody looks', () => {
    const markdown = crema(['compare', before, after]).stdout;
    expect(markdown).toContain('<details>');
    expect(onTerminal(['compare', before, after, '--markdown']).text).toBe(markdown);
  });

  it('has the numbers of its Markdown', () => {
    const cells = crema(['compare', before, after])
      .stdout.split('\n')
      .filter((line) => /\| (?:worse|better) \|$/.test(line))
      .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$|\\/g, '')));
    const rows = uncoloured(onTerminal(['compare', before, after], 120).text)
      .split('\n')
      .filter((line) => /(?:worse|better)$/.test(line))
      .map((line) => line.trim().split(/ {2,}/));
    expect(rows).toHaveLength(5);
    for (const row of rows)
      expect(cells.map((one) => one.filter(Boolean).join('  '))).toContain(row.join('  '));
  });
});

it.each([
  ['NO_COLOR', { NO_COLOR: '1' }],
  ['TERM=dumb', { TERM: 'dumb' }],
])('%s: the same without a colour', (_, env) => {
  for (const args of [
    ['compare', before, after],
    ['summary', before],
    ['check', before, after],
  ]) {
    const { text } = onTerminal(args, 80, env);
    expect(text).not.toContain(esc);
    expect(text).toBe(uncoloured(onTerminal(args).text));
  }
});

it.skipIf(hasNone)('check is one screen: the outcome, each rule, what changed', () => {
  const { text, status } = onTerminal(
    ['check', before, after, '--rule', 'elapsed_time_seconds <= 2x', '--rule', 'lost_chunks == 0'],
    100,
  );
  expect(status).toBe(1);
  expect(text).toContain(`${esc}[31mbroken`);
  expect(text).toContain(`${esc}[32mkept`);
  const said = uncoloured(text);
  expect(said).toMatch(/broken +elapsed_time_seconds <= 2x/);
  expect(said).toContain('B takes 2.27 times as long');
  expect(said).not.toContain('<details>');
});

it.skipIf(hasNone)('check says once, and in full, what became of each rule', () => {
  const rules = ['peak_memory_bytes not worse', 'event_rate_core_khz not worse by 60%'];
  const given = ['check', before, after, ...rules.flatMap((rule) => ['--rule', rule])];
  const { text, status } = onTerminal(given, 80);
  expect(status).toBe(3);
  expect(widest(text)).toBeLessThanOrEqual(80);
  expect(text).not.toContain('…');
  const said = uncoloured(text).replaceAll(/\s+/g, ' ');
  for (const rule of rules) expect(said.split(rule)).toHaveLength(2);
  expect(said).toContain('its noise is unknown; give it a limit, for example <= +10%');
  expect(said).toContain('per side would tell');
});

describe.skipIf(hasNone)('ask', () => {
  it.each([60, 80, 132])('fits %d columns, and says how many it left out', (columns) => {
    const { text } = onTerminal(['ask', before, 'chunks'], columns);
    expect(widest(text)).toBeLessThanOrEqual(columns);
    expect(text).toMatch(/^# \d+ more columns: --wide$/m);
    expect(text).toMatch(/^chunk +dataset /m);
    expect(text).toContain('duration');
    expect(text.split('\n').length).toBeGreaterThan(122);
  });

  it('begins with what tells the rows apart: what is equal in all of them comes last', () => {
    const { text } = onTerminal(['ask', before, 'chunks'], 80);
    const head = text.slice(0, text.indexOf('\n    0'));
    // all of one run, on one host
    expect(head).not.toMatch(/\b(?:run|host|site)\b/);
    expect(head).toMatch(/^chunk +dataset/m);
  });

  /** The last line of the header, and the rows below it. */
  const asked = (columns: number, ...args: string[]) => {
    const { text } = onTerminal(['ask', ...args], columns);
    expect(widest(text)).toBeLessThanOrEqual(columns);
    const lines = text.split('\n');
    const at = lines.findIndex((line) => /^\S/.test(line));
    return {
      head: lines[at] ?? '',
      rows: lines.slice(at + 1),
      above: lines.slice(0, at).join(' '),
    };
  };

  it.each([40, 80])('says in %d columns what rows are called, uncut and first', (columns) => {
    const findings = asked(columns, after, 'findings');
    expect(findings.head).toMatch(/^severity {2}title/);
    const title = /3 threads[\s\S]*?\n(?=\w+ )/.exec(findings.rows.join('\n'))?.[0] ?? '';
    const titles = JSON.parse(crema(['ask', after, 'findings', '--json']).stdout).columns.find(
      ({ name }: { name: string }) => name === 'title',
    ).values;
    const words = title.split(/\s+/);
    for (const word of titles[0].split(' ')) expect(words).toContain(word);
    const budget = asked(columns, after, 'budget');
    expect(budget.head).toMatch(/^label +/);
    expect(budget.rows[1]).toMatch(/^Inside process\(\) +219/);
    const tree = asked(columns, after, 'core_time_tree', '--option', 'depth=2');
    expect(tree.head).toMatch(/^label/);
    expect(tree.rows.join('\n')).toContain('dimuon_candidates');
    const both = asked(columns, before, after, 'findings');
    expect(both.head).toMatch(/^run .*title/);
    expect(both.rows[0]).toMatch(/^ab-before /);
  });

  it('breaks long headers: in 80 columns a range has both ends', () => {
    const { head, above } = asked(80, pathOf('local-4x1'), 'whatif');
    expect(above).toMatch(/elapsed_ +elapsed_/);
    expect(head).toMatch(/\[s\] +low \[s\] +high \[s\]$/);
  });

  it('shows code as it is to be pasted, and memory in its unit', () => {
    const { rows } = asked(100, pathOf('local-4x1'), 'advice');
    expect(rows).toContain('client = Client(n_workers=2, threads_per_worker=1)');
    expect(asked(80, pathOf('local-4x1'), 'workers').rows[0]).toMatch(/ 233 MiB +258 MiB/);
  });

  it('--wide has every column with every digit, as a pipe has', () => {
    const whole = crema(['ask', before, 'datasets']).stdout;
    expect(onTerminal(['ask', before, 'datasets', '--wide']).text).toBe(whole);
  });
});

it('crema help is --help, of a command too', () => {
  expect(crema(['help'])).toEqual(crema(['--help']));
  expect(crema(['help', 'compare'])).toEqual(crema(['compare', '--help']));
  expect(crema(['help', 'ask', 'workers'])).toEqual(crema(['ask', 'workers', '--help']));
  expect(crema(['help']).stdout).toContain('crema help COMMAND');
});

it('an empty folder is said to be empty', () => {
  const { status, stderr } = crema(['summary', folder]);
  expect(status).toBe(2);
  expect(stderr).toContain('the folder is empty');
  writeFileSync(join(folder, 'metrics.json'), '{"elapsed_time_seconds": 4}');
  expect(crema(['summary', folder]).stderr).not.toContain('empty');
});

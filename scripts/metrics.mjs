// npm run metrics: docs/metrics.md, every number with its unit and formula, as the answers of the
// command line state them, and docs/questions.md.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractPage, questions, shortFor } from './contract.mjs';
import { buildPreset } from './native.mjs';
import { main, root } from './run.mjs';
import { setUp } from './setup.mjs';

const program = join(root, 'build/native/crema');

/** Recorded runs: between them everything occurs that the formulas are about. */
const single = ['local-4x1', 'adaptive', 'ab-before'];
const pair = ['ab-before', 'ab-after'];
const study = ['scale-1', 'scale-2', 'scale-4'];
const together = {
  compare: pair,
  check: pair,
  flame_diff: pair,
  compare_matrix: pair,
  compare_steps: pair,
  compare_pairs: pair,
  verdict: pair,
  scaling: study,
  scaling_curve: study,
  history: study,
  history_series: study,
  history_levels: study,
  check_history: study,
};

/** What a question must be told before it answers. */
const told = { sandwich: ['--option', 'frame=process'] };

function crema(...args) {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** The answer of the command line: columns with units and formulas, and rows as objects. */
function ask(runs, question) {
  const folders = runs.map((name) => join(root, 'tests/data', name));
  const { rows, columns } = JSON.parse(
    crema('ask', ...folders, question, ...(told[question] ?? []), '--json', '--explain'),
  );
  return {
    columns,
    rows: Array.from({ length: rows }, (_, row) =>
      Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
    ),
  };
}

/** The first of each name in several answers, in the order of their first appearance. */
function union(lists, key) {
  const all = new Map();
  for (const item of lists.flat()) if (!all.has(item[key])) all.set(item[key], item);
  return [...all.values()];
}

const cell = (text) => (text ?? '').replaceAll('|', '\\|');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(cell).join(' | ')} |`)
    .join('\n');

/** Columns named after something of the user's analysis are one: `section:NAME`. */
const generic = (column) => ({ ...column, name: column.name.replace(/^(\w+):.+/, '$1:NAME') });

function headlines() {
  const rows = union(
    single.map((name) => ask([name], 'summary').rows),
    'id',
  );
  return [...new Set(rows.map(({ group }) => group))].map((group) => {
    const ofGroup = rows.filter((row) => row.group === group);
    return `### ${group}\n\n${table(
      ['number', 'id', 'unit', 'formula'],
      ofGroup.map(({ label, id, unit, formula }) => [label, `\`${id}\``, unit, formula]),
    )}`;
  });
}

/** The parts as two recorded runs have them, where their task prefixes stand for any. */
function parts() {
  const rows = union(
    ['adaptive', 'local-4x1'].map((name) => ask([name], 'budget').rows),
    'part',
  );
  return table(
    ['part', 'of', 'split', 'how it is computed'],
    rows.map(({ part, parent, split, source }) => [`\`${part}\``, parent, split, source]),
  );
}

function answer(question) {
  const { name, about, options } = question;
  const sentence = `${about[0].toUpperCase()}${about.slice(1)}.`;
  if (question.alias_of) return `### ${name}\n\n${sentence} ${shortFor(question)}`;
  const runs = together[name] ? [together[name]] : single.map((run) => [run]);
  const columns = union(
    runs.map((list) => ask(list, name).columns.map(generic)),
    'name',
  );
  const rows = columns.map((column) => [
    `\`${column.name}\``,
    column.type,
    column.unit,
    column.formula,
  ]);
  const names = options.map((option) => `\`${option.name}\``);
  return [
    `### ${name}`,
    `${sentence}${names.length > 0 ? ` Options: ${names.join(', ')}.` : ''}`,
    table(['column', 'type', 'unit', 'formula'], rows),
  ].join('\n\n');
}

/** The whole page. */
export function metricsPage() {
  return `${[
    '# Every number and its formula',
    `<!-- Written by \`npm run metrics\` from the program's own answers; a test fails when it is out of date. -->`,
    `Crema's core gives every number together with its unit and its formula; this page is what it says. On the page, point at a
number with a dotted line under it; in a terminal, \`crema summary BUNDLE --explain\` and \`crema ask BUNDLE QUESTION --explain\`
say the same beside the values.`,
    `A missing number is missing, never zero. Unit \`1\` is a fraction, \`byte\` counts single bytes, \`s\` on a time axis is since the
start of the run. A column without a formula is what the bundle itself says.`,
    '## Headline numbers',
    ...headlines(),
    '## Core-time',
    `The parts of one split add up to what was available; those of different splits (\`phase\`, \`activity\`) are the same
core-time cut another way. Names of task prefixes and sections are those of the recorded runs.`,
    parts(),
    '## Answers',
    ...questions().map(answer),
  ].join('\n\n')}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await setUp(['native']);
    await buildPreset('native', ['crema']);
    writeFileSync(join(root, 'docs/metrics.md'), metricsPage());
    writeFileSync(join(root, 'docs/questions.md'), contractPage());
  });
}

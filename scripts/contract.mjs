// npm run contract: what the core says of its questions, as types of the page
// (web/engine/questions.ts), of Python (python/cremascope/questions.py) and as docs/questions.md.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPreset } from './native.mjs';
import { main, root } from './run.mjs';
import { setUp } from './setup.mjs';

const written = 'Written by `npm run contract` from the core; a test fails when it is out of date.';

/** What `crema questions --json` says: cli/question_list.hpp. */
export const questions = () =>
  JSON.parse(
    execFileSync(join(root, 'build/native/crema'), ['questions', '--json'], { encoding: 'utf8' }),
  );

const names = (columns, ...types) =>
  columns.filter(({ type }) => types.includes(type)).map(({ name }) => name);
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

// The page

const quoted = (list) => list.map((name) => `'${name}'`);

const lineWidth = 100;

/** A comment on one line, or as many as it takes. */
function comment(indent, text) {
  if (`${indent}/** ${text} */`.length <= lineWidth) return `${indent}/** ${text} */`;
  const lines = [`${indent} *`];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > lineWidth) lines.push(`${indent} *`);
    lines[lines.length - 1] += ` ${word}`;
  }
  return [`${indent}/**`, ...lines, `${indent} */`].join('\n');
}

/** A union that Biome leaves as it is: on one line, or a line for each. */
function union(indent, member, list) {
  const line = `${indent}${member}: ${list.length > 0 ? list.join(' | ') : 'never'};`;
  return line.length <= lineWidth
    ? line
    : `${indent}${member}:${list.map((name) => `\n${indent}  | ${name}`).join('')};`;
}

const scriptTypes = { text: 'string', number: 'number', count: 'number', flag: 'boolean' };
const scriptOption = ({ name, about, type, values }) =>
  `${comment('      ', about)}\n${union('      ', `${name}?`, values ? quoted(values) : [scriptTypes[type]])}`;

function scriptQuestion({ name, about, options, columns, more_columns }) {
  const open = more_columns ? ['(string & {})'] : [];
  const taken = options.map(scriptOption);
  return [
    comment('  ', about),
    `  ${name}: {`,
    taken.length > 0
      ? `    options: {\n${taken.join('\n')}\n    };`
      : '    options: Record<never, never>;',
    union('    ', 'numbers', [...quoted(names(columns, 'number', 'flag')), ...open]),
    union('    ', 'texts', [...quoted(names(columns, 'text')), ...open]),
    '  };',
  ].join('\n');
}

export const contractTypes = (list) => `// ${written}

/** Every question: the options it takes, and the names of its columns. */
export interface Questions {
${list.map(scriptQuestion).join('\n')}
}

export type QuestionName = keyof Questions;
export type OptionsOf<Q extends QuestionName> = Questions[Q]['options'];
/** Columns of numbers and flags. */
export type NumbersOf<Q extends QuestionName> = Questions[Q]['numbers'];
export type TextsOf<Q extends QuestionName> = Questions[Q]['texts'];
export type ColumnsOf<Q extends QuestionName> = NumbersOf<Q> | TextsOf<Q>;

/** The names of the options that each question takes. */
export const optionNames: Record<QuestionName, readonly string[]> = {
${list.map(({ name, options }) => optionLine(name, options)).join('\n')}
};

export const questionNames = Object.keys(optionNames) as readonly QuestionName[];
`;

function optionLine(name, options) {
  const list = quoted(options.map((option) => option.name));
  const line = `  ${name}: [${list.join(', ')}],`;
  return line.length <= lineWidth
    ? line
    : [`  ${name}: [`, ...list.map((one) => `    ${one},`), '  ],'].join('\n');
}

// Python

const pythonTypes = { text: 'str', number: 'float', count: 'int', flag: 'bool' };
const literal = (list) => `Literal[${list.map((name) => `"${name}"`).join(', ')}]`;
const className = (name) => name.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());

/** What narrows any answer, beside its options: python/cremascope/runs.py makes a selection of it. */
const filters = `class Filters(TypedDict, total=False):
    """What narrows an answer. A name, or several, of datasets, input files, storage hosts, workers, task prefixes."""

    select: tuple[float, float] | None
    """from when to when [s] since the start"""
    dataset: str | Sequence[str] | None
    file: str | Sequence[str] | None
    host: str | Sequence[str] | None
    worker: str | Sequence[str] | None
    prefix: str | Sequence[str] | None
    ranges: Mapping[str, tuple[float, float]] | None
    """from how much to how much, by columns of \`\`chunks\`\`"""`;

function pythonOptions({ name, options }) {
  const fields = options.map(
    (option) =>
      `    ${option.name}: ${option.values ? literal(option.values) : pythonTypes[option.type]}`,
  );
  return `class ${className(name)}Options(Filters, total=False):\n    """Options of the question \`\`${name}\`\`."""\n\n${fields.join('\n')}`;
}

const takesOptions = ({ options }) => options.length > 0;

function pythonOverload(names, how) {
  return `        @overload\n        def ask(self, question: ${literal(names)}, **how: Unpack[${how}]) -> Answer: ...`;
}

export const contractStubs = (list) => `# ${written}
# ruff: noqa: E501
# fmt: off
"""What \`\`crema ask\`\` can be asked: names, options and columns of all questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from cremascope.answer import Answer

QuestionName = ${literal(list.map(({ name }) => name))}

#: The columns of each answer. Those of \`\`chunks\`\` can be more: sections and numbers of the analysis itself.
COLUMNS: dict[QuestionName, tuple[str, ...]] = {
${list.map(({ name, columns }) => `    "${name}": (${columns.map((column) => `"${column.name}"`).join(', ')},),`).join('\n')}
}


${filters}


${list.filter(takesOptions).map(pythonOptions).join('\n\n\n')}


class Asking(ABC):
    """Whatever can be asked."""

    @abstractmethod
    def _answer(self, question: str, given: Mapping[str, Any]) -> Answer: ...

    if TYPE_CHECKING:

${[
  ...list
    .filter(takesOptions)
    .map(({ name }) => pythonOverload([name], `${className(name)}Options`)),
  pythonOverload(
    list.filter((question) => !takesOptions(question)).map(({ name }) => name),
    'Filters',
  ),
].join('\n\n')}

    def ask(self, question: str, **how: Any) -> Answer:
        """The answer to a question: docs/questions.md has them all, with options and columns.

        \`\`select=(10, 60)\`\` is a range of time in seconds since the start; \`\`dataset\`\`, \`\`file\`\`, \`\`host\`\`,
        \`\`worker\`\` and \`\`prefix\`\` are a name or several; \`\`ranges={"duration": (5, 60)}\`\` is about columns of \`\`chunks\`\`. The
        rest are options of the question. One of a single run is answered for each of several: the column \`\`run\`\` then says
        of which.
        Raises ValueError for what there is not, with a sentence that names the nearest.
        """
        return self._answer(question, how)
`;

// Docs

const cell = (text) => `${text ?? ''}`.replaceAll('|', '\\|');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(cell).join(' | ')} |`)
    .join('\n');

/** "one of a, b", "a whole number between 1 and 10,000". */
function range({ type, values, least, most }) {
  const number = (value) => value.toLocaleString('en');
  if (values) return `one of ${values.join(', ')}`;
  if (type === 'flag') return 'true or false';
  if (type === 'text') return 'text';
  const kind = type === 'count' ? 'a whole number' : 'a number';
  if (least !== undefined && most !== undefined)
    return `${kind} between ${number(least)} and ${number(most)}`;
  return least === undefined ? kind : `${kind} of at least ${number(least)}`;
}

const runsOf = ([least, most]) =>
  least === most
    ? least === 1
      ? 'one run'
      : `${least} runs`
    : least === 0
      ? 'any number of runs'
      : 'one run or more';

/** "Short for `groups` with `by=dataset`", of a name that stands for a question with options set. */
export const shortFor = ({ alias_of, given }) =>
  `Short for \`${alias_of}\` with ${Object.entries(given)
    .map(([option, value]) => `\`${option}=${value}\``)
    .join(' and ')}.`;

function docsQuestion(question) {
  const { name, about, runs, narrowed_by, options, columns, more_columns } = question;
  const head = `${sentence(about)} Of ${runsOf(runs)}; ${
    narrowed_by.length > 0
      ? `narrowed by ${narrowed_by.join(', ')}`
      : 'a selection does not narrow it'
  }.`;
  const parts = [`## ${name}`, head];
  if (question.alias_of) return [...parts, shortFor(question)].join('\n\n');
  if (options.length > 0) {
    parts.push(
      table(
        ['option', 'default', 'takes', ''],
        options.map((option) => [
          `\`${option.name}\``,
          option.default && `\`${option.default}\``,
          range(option),
          option.about,
        ]),
      ),
    );
  }
  const more = more_columns
    ? ' Further columns are named after what the analysis calls its own.'
    : '';
  const some = columns.some(({ always }) => !always)
    ? ' Those with * are there only with some options.'
    : '';
  parts.push(
    `Columns: ${columns.map((column) => `\`${column.name}\`${column.always ? '' : '*'}`).join(', ')}.${some}${more}`,
  );
  return parts.join('\n\n');
}

export const contractPage = (list) =>
  `${[
    '# Every question',
    `<!-- ${written} -->`,
    `What \`crema ask BUNDLE QUESTION\` answers, and what the page asks: \`crema questions --json\` says the same to programs. Units and
formulas of the columns are in [metrics.md](metrics.md).`,
    ...list.map(docsQuestion),
  ].join('\n\n')}\n`;

/** What stands where. */
export function contract() {
  const list = questions();
  return {
    'web/engine/questions.ts': contractTypes(list),
    'python/cremascope/questions.py': contractStubs(list),
    'docs/questions.md': contractPage(list),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await setUp(['native']);
    await buildPreset('native', ['crema']);
    for (const [path, text] of Object.entries(contract())) writeFileSync(join(root, path), text);
  });
}

// What the core says of its questions, as types of the page (build/questions.d.ts) and of Python
// (python/cremascope/questions.pyi), both written whenever the command line is built, and as
// docs/questions.md.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const written = 'Written from the core by scripts/contract.mjs when `crema` is built.';

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

const comment = (indent, text) => `${indent}/** ${text} */`;
const union = (indent, member, list) => `${indent}${member}: ${list.join(' | ') || 'never'};`;

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

const contractTypes = (list) => `// ${written}

/** Every question: the options it takes, and the names of its columns. */
export interface Questions {
${list.map(scriptQuestion).join('\n')}
}
`;

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
  return `    @overload\n    def ask(self, question: ${literal(names)}, **how: Unpack[${how}]) -> Answer: ...`;
}

const contractStubs = (list) => `# ${written}
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, overload

from typing_extensions import Unpack

from cremascope.answer import Answer

QuestionName = ${literal(list.map(({ name }) => name))}


${filters}


${list.filter(takesOptions).map(pythonOptions).join('\n\n\n')}


class Asking(ABC):
    @abstractmethod
    def _answer(self, question: str, given: Mapping[str, Any]) -> Answer: ...

${[
  ...list
    .filter(takesOptions)
    .map(({ name }) => pythonOverload([name], `${className(name)}Options`)),
  pythonOverload(
    list.filter((question) => !takesOptions(question)).map(({ name }) => name),
    'Filters',
  ),
].join('\n')}
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

export const contractPage = () =>
  `${[
    '# Every question',
    '<!-- Written by `npm run metrics` from the core; a test fails when it is out of date. -->',
    `What \`crema ask BUNDLE QUESTION\` answers, and what the page asks: \`crema questions --json\` says the same to programs. Units and
formulas of the columns are in [metrics.md](metrics.md).`,
    ...questions().map(docsQuestion),
  ].join('\n\n')}\n`;

/** Writes the types of the page and of Python where they have changed. */
export function writeTypes() {
  const list = questions();
  for (const [path, text] of [
    ['build/questions.d.ts', contractTypes(list)],
    ['python/cremascope/questions.pyi', contractStubs(list)],
  ]) {
    const file = join(root, path);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

/** The shape of the source: no circles, nothing reaches up to a room above, one listener to keys. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The text of each file of a folder, by its path in it. */
function sourcesIn(folder: string, ending: RegExp): Map<string, string> {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  return new Map(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => ending.test(name))
      .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(root, name), 'utf8')]),
  );
}

const sources = sourcesIn('web', /\.tsx?$/);
const core = sourcesIn('core', /\.[ch]pp$/);

/** What a file imports of the page, types too. */
function importsOf(file: string): string[] {
  const found = sources.get(file)?.matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)'/gm) ?? [];
  const paths = Array.from(found, ([, path = '']) =>
    normalize(join(dirname(file), path)).replaceAll('\\', '/'),
  );
  return paths.flatMap((path) => [`${path}.ts`, `${path}.tsx`].filter((name) => sources.has(name)));
}

/** What a file of the core includes of it. */
const includesOf = (file: string): string[] =>
  Array.from(
    core.get(file)?.matchAll(/^#include "core\/([^"]+)"/gm) ?? [],
    ([, path = '']) => path,
  );

function circles(files: Iterable<string>, usesOf: (file: string) => string[]): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (done.has(file) || way.includes(file)) return;
    for (const next of usesOf(file)) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}

const roomOf = (file: string): string => file.split('/')[0] ?? '';

/** Uses of rooms that are not among those that a file's room may use. */
function upwards(
  files: Iterable<string>,
  usesOf: (file: string) => string[],
  mayUse: (room: string) => readonly string[],
): string[] {
  return [...files]
    .filter((file) => file.includes('/'))
    .flatMap((file) =>
      usesOf(file)
        .filter((used) => ![roomOf(file), ...mayUse(roomOf(file))].includes(roomOf(used)))
        .map((used) => `${file} → ${used}`),
    );
}

it('imports of the page and includes of the core go in no circle', () => {
  expect(circles(sources.keys(), importsOf)).toEqual([]);
  expect(circles(core.keys(), includesOf)).toEqual([]);
});

it('rooms of the page use those below them alone', () => {
  const order = ['ui', 'engine', 'plot', 'state', 'domain', 'host', 'views', 'shell'];
  expect(new Set([...sources.keys()].filter((file) => file.includes('/')).map(roomOf))).toEqual(
    new Set(order),
  );
  expect(upwards(sources.keys(), importsOf, (room) => order.slice(0, order.indexOf(room)))).toEqual(
    [],
  );
});

it('rooms of the core use those below them alone', () => {
  const subjects = ['profile', 'runtime', 'predict', 'diagnose', 'compare', 'report'];
  const below = ['base', 'stats', 'model'];
  const mayUse: Record<string, readonly string[]> = {
    base: [],
    stats: ['base'],
    json: ['base'],
    table: ['base'],
    model: ['base', 'table'],
    read: ['base', 'json', 'model'],
    align: below,
    profile: below,
    runtime: [...below, 'profile'],
    predict: [...below, 'profile', 'runtime'],
    diagnose: [...below, 'profile', 'runtime', 'predict'],
    compare: [...below, 'profile', 'runtime', 'predict', 'diagnose'],
    report: [...below, ...subjects],
    query: [...below, ...subjects, 'table'],
    export: [...below, ...subjects, 'table', 'query'],
    session: [...below, ...subjects, 'table', 'query', 'json', 'read', 'align', 'export'],
  };
  expect(new Set([...core.keys()].filter((file) => file.includes('/')).map(roomOf))).toEqual(
    new Set(Object.keys(mayUse)),
  );
  expect(upwards(core.keys(), includesOf, (room) => mayUse[room] ?? [])).toEqual([]);
});

it('no code of the core reads an answer, or looks a column up by its name', () => {
  const reads =
    /\.(?:row_of|text_note)\(|\b(?:\w*[tT]able|compared|checked|answer)_?\.(?:text|number|find)\(|answer_of\(/;
  const found = [...core]
    .filter(([file]) => !file.startsWith('table/')) // a Table itself
    .flatMap(([file, text]) =>
      text
        .split('\n')
        .filter((line) => reads.test(line.replace(/\/\/.*/, '')))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

/** The literals of a source that hold so many words in a row, but for what an option or a question
 * is about and why a request is refused. */
function sentencesIn(text: string, words = 3): string[] {
  const literal = /"(?:[^"\\\n]|\\.)*"/g;
  const plain = text
    .replace(/\/\/.*/g, '')
    .replace(/'(?:[^'\\]|\\.)'/g, '')
    .replace(/"\s*\n\s*"/g, '') // a literal goes on in the next line
    .replace(/(?:\.about =|\b(?:\w+_option|question)\(\s*"\w+",)\s*"(?:[^"\\\n]|\\.)*"/g, '')
    .replace(/\b(?:Failure|refuse\w*|expect)\((?:[^;"]|"(?:[^"\\\n]|\\.)*")*;/g, '');
  const sentence = new RegExp(`(?:[a-z()']+ ){${words - 1}}[a-z()]+`, 'i');
  return (plain.match(literal) ?? []).filter((one) => sentence.test(one));
}

/** A source without what a schema declares: the end of a column's line is its formula, or what the
 * alias of a question is about. */
const withoutSchema = (text: string): string =>
  text
    .replace(/"\s*\n\s*"/g, '')
    .replace(/\w*formula\w*(?:\[\])? =\s*(?:\{[^}]*\}|"[^"\n]*")/g, '')
    .replace(/"(?:[^"\\\n]|\\.)*"(?=(?:, "\w+")?\s*\}(?!\)))/g, '');

it('what comparisons and predictions say is in the report, they themselves hand out structs', () => {
  const found = [...core]
    .filter(([file]) => ['compare', 'predict', 'stats', 'table'].includes(roomOf(file)))
    .flatMap(([file, text]) => sentencesIn(text).map((one) => `${file}: ${one}`));
  expect(found).toEqual([]);
});

it('what answers note is in the report, questions declare columns and options', () => {
  const found = [...core]
    .filter(([file]) => roomOf(file) === 'query')
    .flatMap(([file, text]) => sentencesIn(withoutSchema(text), 5).map((one) => `${file}: ${one}`));
  expect(found).toEqual([]);
});

it('keys are heard by the dispatcher alone', () => {
  const listening = [...sources]
    .filter(([, text]) => /addEventListener\(\s*'key/.test(text))
    .map(([name]) => name);
  expect(listening).toEqual(['ui/keys.ts']);
  const handlers = [...sources].flatMap(([name, text]) =>
    Array.from(
      text.matchAll(/onKey(?:Down|Up|Press)=\{([^}\n]*)/g),
      ([, handler]) => `${name}: ${handler}`,
    ),
  );
  const through = /ownKeys\(|: keys$|rowKeys\(/;
  expect(handlers.filter((one) => !through.test(one))).toEqual([]);
});

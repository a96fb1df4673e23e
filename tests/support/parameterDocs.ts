import { readdirSync, readFileSync } from 'node:fs';
import { parameters } from '../../web/state/parameters';
import { version } from '../../web/state/permalink';
import { tabs, views } from '../../web/state/view';

const state = new URL('../../web/state/', import.meta.url);

/** The comment on each parameter, by its name in an address. */
const comments = new Map(
  readdirSync(state).flatMap((file) =>
    Array.from(
      readFileSync(new URL(file, state), 'utf8').matchAll(
        /\/\*\* ((?:(?!\*\/)[\s\S])*?)\s*\*\/\s*(?:export const )?\w+(?: =|:) (?:(?:linked|parameter)\b[^(]*\(|\[)\s*'(\w+)'/g,
      ),
      ([, comment = '', name = '']) => [name, comment.replace(/\s*\n\s*\* /g, ' ')] as const,
    ),
  ),
);

const sentence = (name: string, known: readonly string[] | undefined): string => {
  const comment = comments.get(name);
  if (!comment) throw new Error(`the parameter ${name} has no comment`);
  const values = known?.map((value) => `\`${value}\``).join(', ');
  return values ? `${comment} One of ${values}.` : comment;
};

/** The list of all that a link can say, for docs/links.md. */
export function permalinkReference(): string {
  const rows = parameters().flatMap(({ parameter: { names, known }, views: where }) =>
    names.map(
      (name) => `| \`${name}\` | ${where?.join(', ') ?? 'everywhere'} | ${sentence(name, known)} |`,
    ),
  );
  return [
    '| parameter | in | says |',
    '|---|---|---|',
    `| \`v\` | everywhere | The form of links: ${version}. |`,
    ...rows,
    '',
    'Views: a tab alone shows what fits; of one with several views, each has a name of its own.',
    '',
    '| tab | `view` | its views | names in older links |',
    '|---|---|---|---|',
    ...tabs.map(({ id, title, views: of }) => {
      const cell = (parts: string[]) => parts.join(', ') || '–';
      const own = of.filter((one) => one.id !== id || of.length > 1);
      const old = of.flatMap(({ was = [] }) => was.filter(isId));
      return `| ${title} | \`${id}\` | ${cell(own.map((one) => `\`${one.id}\` (${one.title})`))} | ${cell(old.map((one) => `\`${one}\``))} |`;
    }),
  ].join('\n');
}

/** A name that links have, not a title. */
const isId = (name: string): boolean => name === name.toLowerCase();

/** The list of views for Python: those of today, then names that the page still understands. */
export function pythonViews(): string {
  const names = new Set<string>([
    ...tabs.flatMap(({ id, views: of }) => [id, ...of.map((one) => one.id)]),
    ...views().flatMap(({ was = [] }) => was.filter(isId)),
  ]);
  return [
    '"""The views of the page by the names that links use; written by tests/web/permalink.test.ts."""',
    '',
    'VIEWS = (',
    ...[...names].map((name) => `    "${name}",`),
    ')',
    '',
  ].join('\n');
}

import { readdirSync, readFileSync } from 'node:fs';
import { parameters } from '../../web/state/parameters';
import { version } from '../../web/state/permalink';
import { views } from '../../web/state/view';

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
    `Views: ${views.map(({ id, title }) => `\`${id}\` (${title})`).join(', ')}.`,
  ].join('\n');
}

/** The list of views for Python. */
export const pythonViews = (): string =>
  [
    '"""The views of the page by the names that links use; written by tests/web/permalink.test.ts."""',
    '',
    'VIEWS = (',
    ...views.map(({ id }) => `    "${id}",`),
    ')',
    '',
  ].join('\n');

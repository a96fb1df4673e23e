// npm run texts: every text of the page with where it stands, to be read in one go.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'vite';
import { main, root } from './run.mjs';

const web = join(root, 'web');

/** Attributes and properties that hold what people do not read. */
const silent = new Set(
  (
    'class className buttonClass placeClass sheetClass id key d type role testId buttonTestId ' +
    'data-testid data-picture name column series question viewBox transform href rel target'
  ).split(' '),
);

/** Two words, or one that begins like a sentence's: names in code have neither. */
const isText = (text) =>
  /\p{L}/u.test(text) && (/\S\s+\S/.test(text) || /^\p{Lu}\p{Ll}/u.test(text));

/** The texts of a source file in their order: { line, text }. What is filled in is told by "…". */
export function textsOf(source, path) {
  const found = [];
  const put = (node, raw) => {
    const text = raw.replace(/\s+/g, ' ').trim();
    if (text) found.push({ line: source.slice(0, node.start).split('\n').length, text });
  };
  const visit = (node) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const one of node) visit(one);
      return;
    }
    const { type } = node;
    if (type === 'ImportDeclaration' || type?.startsWith('TS')) {
      // `x as T` and `x!` hold an expression beside their type
      visit(node.expression);
      return;
    }
    if (type === 'JSXAttribute' && silent.has(node.name.name)) return;
    if (type === 'Property' && silent.has(node.key.name ?? node.key.value)) return visitValue(node);
    if (type === 'JSXText' && /\p{L}/u.test(node.value)) put(node, node.value);
    if (type === 'Literal' && typeof node.value === 'string' && isText(node.value))
      put(node, node.value);
    if (type === 'TemplateLiteral') {
      const text = node.quasis.map((part) => part.value.cooked).join('…');
      if (isText(text)) put(node, text);
    }
    for (const value of Object.values(node)) visit(value);
  };
  /** A silent property's own text is none, what it calls may hold some. */
  const visitValue = ({ value }) => {
    if (value.type !== 'Literal' && value.type !== 'TemplateLiteral') visit(value);
  };
  visit(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body);
  return found;
}

export function texts() {
  return readdirSync(web, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .sort()
    .flatMap((name) =>
      textsOf(readFileSync(join(web, name), 'utf8'), name).map((found) => ({ name, ...found })),
    );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(() => {
    for (const { name, line, text } of texts())
      console.log(`${`${name}:${line}`.padEnd(44)}${text}`);
  });
}

/** What README.md and docs/ point at exists: files, headings, commands. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anchor, linksOut, sidebar } from '../../docs/.vitepress/config.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md') && !name.includes('node_modules'));

/** The anchor that GitHub gives a heading; the second of a name gets "-1", and so on. */
function anchors(markdown: string): string[] {
  const seen = new Map<string, number>();
  return Array.from(
    markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm),
    ([, title = '']) => {
      const plain = anchor(title);
      const count = seen.get(plain) ?? 0;
      seen.set(plain, count + 1);
      return count > 0 ? `${plain}-${count}` : plain;
    },
  );
}

const commandLine = readdirSync(join(root, 'cli')).filter((name) => name.endsWith('.cpp'));
const named = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, command]) => command);
/** Those of the core, and those that Python has besides. */
const commands = new Set([
  'help',
  ...commandLine.flatMap((name) => named(read(`cli/${name}`), /add_subcommand\(\s*"(\w+)"/g)),
  ...named(read('python/cremascope/__main__.py'), /^ {4}"(\w+)": \(/gm),
]);
const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>;

/** Code of a page: what stands between backquotes, in fences, or indented. */
const codeOf = (markdown: string) =>
  [
    ...markdown.matchAll(/^```[\s\S]*?^```/gm),
    ...markdown.matchAll(/`[^`\n]+`/g),
    ...markdown.matchAll(/^ {4}.*$/gm),
  ]
    .map(([code]) => code)
    .join('\n');

describe.each(pages)('%s', (page) => {
  const markdown = read(page);

  it('links to what exists', () => {
    for (const [, link = ''] of markdown.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      expect(existsSync(join(root, target)), link).toBe(true);
      if (anchor) expect(anchors(read(target)), link).toContain(anchor);
    }
  });

  it('shows commands that exist', () => {
    const code = codeOf(markdown);
    for (const [, name] of code.matchAll(/(?<![\w./%-]|-m |as )crema ([a-z]\w*)/g))
      expect(commands, `crema ${name}`).toContain(name);
    for (const [, name = ''] of code.matchAll(/npm run ([\w:]+)/g))
      expect(Object.keys(scripts), `npm run ${name}`).toContain(name);
    for (const [path] of code.matchAll(
      /(?<![\w./-])(?:core|cli|web|wasm|tests|scripts|docs)\/[\w./-]*\w/g,
    )) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  });
});

it('every page of docs/ is reached from its README', () => {
  const index = read('docs/README.md');
  for (const page of pages.filter((name) => name !== 'README.md' && name !== 'docs/README.md'))
    expect(index, page).toContain(`](${page.replace('docs/', '')})`);
});

describe('the site', () => {
  it('is where the published page leads', () => {
    const workflow = read('.github/workflows/pages.yml');
    const [, folder] = /VITE_DOCS: (\S+)/.exec(workflow) ?? [];
    expect(workflow).toContain(
      `npm run docs -- --base "\${{ steps.pages.outputs.base_path }}/${folder}"`,
    );
    expect(sidebar.flatMap(({ items }) => items.map(({ link }) => link))).toContain('/tutorial');
  });

  it('has each page once at its side', () => {
    const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => `docs${link}.md`));
    const published = pages.filter((name) => name !== 'README.md' && name !== 'docs/README.md');
    expect(listed.toSorted()).toEqual(published.toSorted());
  });

  it('leads out of docs/ to the repository, and nowhere where its address is not known', () => {
    const link = (href: string) => {
      const attributes = { href };
      const open = {
        type: 'link_open',
        attrGet: (name: 'href') => attributes[name],
        attrSet: (name: 'href', value: string) => {
          attributes[name] = value;
        },
      };
      return { attributes, tokens: [open, { type: 'text' }, { type: 'link_close' }] };
    };
    const core = link('../core/README.md#parts');
    expect(linksOut(core.tokens, 'https://host/crema')).toHaveLength(3);
    expect(core.attributes.href).toBe('https://host/crema/blob/HEAD/core/README.md#parts');
    expect(linksOut(link('../core/README.md').tokens, '')).toEqual([{ type: 'text' }]);
    const page = link('gate.md#rules');
    expect(linksOut(page.tokens, '')).toHaveLength(3);
    expect(page.attributes.href).toBe('gate.md#rules');
  });
});

// The site that `npm run docs` makes of these pages; scripts/docs.mjs says where it will lie.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));
const group = (text, ...pages) => ({
  text,
  items: pages.map(([title, page]) => ({ text: title, link: `/${page}` })),
});

/** In the order in which somebody new needs them; a test finds each page once. */
export const sidebar = [
  group(
    'Start',
    ['My run is slow: what now?', 'tutorial'],
    ['Record a run', 'record'],
    ['Open a run', 'open'],
    ['Read the summary', 'summary'],
    ['Questions asked often', 'faq'],
    ['Glossary', 'glossary'],
  ),
  group(
    'Python and notebooks',
    ['In Python and notebooks', 'python'],
    ['While it runs', 'live'],
    ['Every name', 'python-api'],
    ['You know roastcoffea', 'roastcoffea'],
    ['Executors and versions', 'supported'],
  ),
  group(
    'Views',
    ['Timelines', 'timelines'],
    ['Fine metrics', 'fine-metrics'],
    ['Flame graph', 'flame-graph'],
    ['Chunks', 'chunks'],
    ['Input', 'input'],
    ['Before and after', 'compare'],
    ['Scaling', 'scaling'],
    ['History', 'history'],
    ['Recording', 'data-notes'],
  ),
  group(
    'Terminal and automation',
    ['The command line', 'command-line'],
    ['A gate for pull requests', 'gate'],
    ['With an assistant', 'assistants'],
    ['Embedding and reports', 'embedding'],
    ['Links', 'links'],
  ),
  group(
    'Reference',
    ['Every number and its formula', 'metrics'],
    ['What the recordings mean', 'meanings'],
    ['Every question', 'questions'],
    ['Rows of tasks', 'format'],
  ),
  group('The code', ['Architecture', 'architecture'], ['Contributing', 'contributing']),
];

/** The anchor that GitHub gives a heading: a link holds there and here (VitePress counts repeated ones likewise). */
export const anchor = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Files of docs/ that pages link to and that are no pages: they are copied. */
const files = new Set();

/**
 * Links out of docs/ lead to the repository at `source`; where its address is not known their text
 * stands alone.
 */
export function linksOut(tokens, source) {
  let isDropped = false;
  return tokens.filter((token) => {
    if (token.type === 'link_close' && isDropped) {
      isDropped = false;
      return false;
    }
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href === null || /^([a-z]+:|#)/.test(href)) return true;
    const [path] = href.split('#');
    if (href.startsWith('../')) {
      isDropped = !source;
      if (source) token.attrSet('href', `${source}/blob/HEAD/${href.slice(3)}`);
      return !isDropped;
    }
    if (!path.endsWith('.md')) {
      files.add(path);
      token.attrSet('target', '_blank'); // no page of the site's own
    }
    return true;
  });
}

/** Packages that are in the site: a test holds THIRD_PARTY.md against them. */
const packages = new Set();
const namesPackages = {
  name: 'crema-names-packages',
  generateBundle(_options, bundle) {
    for (const module of Object.values(bundle).flatMap((chunk) =>
      Object.keys(chunk.modules ?? {}),
    )) {
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1];
      if (name) packages.add(name);
    }
  },
};

/** @type {import('vitepress').UserConfig} */
export default {
  title: 'Crema',
  description: 'Where the core-time of a Coffea run went, why, and what would help',
  base: process.env.CREMA_DOCS_BASE,
  outDir: '../dist/docs',
  cacheDir: '../build/docs',
  rewrites: { 'README.md': 'index.md' },
  lastUpdated: false,
  vite: { plugins: [namesPackages] },
  markdown: {
    anchor: { slugify: anchor },
    config: (md) =>
      md.core.ruler.push('links_out', ({ tokens }) => {
        for (const token of tokens) {
          if (token.type === 'code_block') token.type = 'fence'; // looks like one
          if (token.children) token.children = linksOut(token.children, process.env.CREMA_SOURCE);
        }
      }),
  },
  themeConfig: {
    sidebar,
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [{ text: 'Open the page', link: '../', target: '_self' }],
    ...(process.env.CREMA_SOURCE
      ? { socialLinks: [{ icon: 'github', link: process.env.CREMA_SOURCE }] }
      : {}),
  },
  buildEnd({ outDir }) {
    for (const file of files) cpSync(join(docs, file), join(outDir, file));
    mkdirSync(join(docs, '../build'), { recursive: true });
    writeFileSync(join(docs, '../build/docs-packages.json'), JSON.stringify([...packages].sort()));
  },
};

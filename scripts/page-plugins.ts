// The Vite plugins of the page: what the browser may load, the licences, and everything in one file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';

/** `sources` per directive. */
function policy(sources: Record<string, string>): string {
  const all = {
    'default-src': "'none'",
    'img-src': 'data: blob:',
    'worker-src': 'blob:',
    'base-uri': "'none'",
    'form-action': "'none'",
    ...sources,
  };
  const content = Object.entries(all)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ');
  return `<meta http-equiv="Content-Security-Policy" content="${content}">`;
}

/** Puts `tags` where they hold for all that follows. */
function atHeadOf(html: string, ...tags: string[]): string {
  const charset = /<meta charset="[^"]*"\s*\/?>/i;
  return html.replace(charset, (found) => [found, ...tags].join('\n    '));
}

/** A module of web/ as the text of a classic script, in which the names of `define` are values. */
async function scriptOf(name: string, define: Record<string, string> = {}): Promise<string> {
  const entry = fileURLToPath(new URL(`../web/${name}.ts`, import.meta.url));
  const made = await build({
    configFile: false,
    logLevel: 'error',
    define,
    build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name } },
  });
  const [output] = [made].flat();
  if (!output || !('output' in output)) throw new Error(`${entry} was not built`);
  return output.output[0].code.trim();
}

/** The text of the page's inline script. */
const firstScript = () => scriptOf('first');

/**
 * The hosted page: its own files, and bundles from anywhere (`#url=`). In development Vite needs
 * more than that.
 */
export function contentSecurityPolicy(): Plugin {
  return {
    name: 'crema-policy',
    apply: 'build',
    transformIndexHtml: async (html) => {
      const first = await firstScript();
      return atHeadOf(
        html,
        policy({
          'script-src': `'self' ${hash(first)} 'wasm-unsafe-eval'`,
          'style-src': "'self'",
          'img-src': "'self' data: blob:",
          'worker-src': "'self' blob:",
          'connect-src': "'self' https: http: blob: data:",
        }),
        `<script>${first}</script>`,
      );
    },
  };
}

/**
 * Has the core, or its first half, fetched along with the first script, which only then could ask
 * for it.
 */
export function preloadCore(): Plugin {
  return {
    name: 'crema-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const core = Object.keys(bundle).find((name) => /(first|crema)-[^/]*\.wasm$/.test(name));
        if (core === undefined) throw new Error('the build has no core');
        return [
          {
            tag: 'link',
            attrs: { rel: 'preload', as: 'fetch', crossorigin: true, href: `./${core}` },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}

/** What a first picture of a run stands in, and its view. */
const firstPicture =
  /\/web\/(shell\/(Stage|FilterBar|RunHeader)|views\/summary\/(SummaryView|LoadingTiles))\.tsx$/;

/**
 * One script for what the page needs to take files, one for what a first picture needs besides, one
 * for what several other views need, one for each view: small files would compress badly, and each
 * be asked for.
 */
export const chunks: Rolldown.CodeSplittingOptions = {
  groups: [
    {
      name: (module, graph) =>
        isImported(module, graph, (id) => graph.getModuleInfo(id)?.isEntry ?? false)
          ? 'page'
          : null,
      debugName: 'page',
    },
    {
      name: (module, graph) =>
        isImported(module, graph, (id) => firstPicture.test(id)) ? 'common' : null,
      debugName: 'common',
    },
    { name: 'views', minShareCount: 2 },
  ],
};

/** Whether a module is one of those that are meant, or is imported, not fetched later, by one. */
function isImported(
  id: string,
  graph: Rolldown.ChunkingContext,
  isMeant: (id: string) => boolean,
  seen = new Set<string>(),
): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const module = graph.getModuleInfo(id);
  if (!module) return false;
  // copied: the array is used again for the next one
  return (
    isMeant(id) ||
    [...module.importers].some((importer) => isImported(importer, graph, isMeant, seen))
  );
}

/** The licences of what is in the page: they ask to go along with it. */
const thirdParty = readFileSync(new URL('../THIRD_PARTY.md', import.meta.url), 'utf8');

/** Puts them beside the page; the single page has them inside. */
export function notices(): Plugin {
  return {
    name: 'crema-notices',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'THIRD_PARTY.md', source: thirdParty });
    },
  };
}

/** Writes web/offline.ts beside the page, with the list of what it keeps: scripts, styles, core. */
export function offlineWorker(): Plugin {
  return {
    name: 'crema-offline',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter((name) => /\.(js|css|wasm)$/.test(name));
      const page = textOf(Object.values(bundle).find(({ fileName }) => fileName === 'index.html'));
      const version = createHash('sha256').update(files.join(' ')).update(page).digest('hex');
      this.emitFile({
        type: 'asset',
        fileName: 'offline.js',
        source: await scriptOf('offline', {
          __FILES__: JSON.stringify(files),
          __VERSION__: JSON.stringify(version.slice(0, 16)),
        }),
      });
    },
  };
}

/**
 * Folds scripts, styles and the core, packed, into the page and writes it as `fileName`. Inline scripts are classic
 * ones, because a page from file: may not load modules; their hashes stand in the policy, which
 * forbids everything else, any upload included.
 */
export function singleFile(fileName: string, core: string): Plugin {
  return {
    name: 'crema-single-file',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const first = await firstScript();
      const packed = gzipSync(readFileSync(core), { level: 9 }).toString('base64');
      const page = textOf(take(bundle, '.html'));
      const script = textOf(take(bundle, '.js'))
        .replaceAll('</script', '<\\/script')
        .replaceAll('<!--', '<\\!--');
      const styles = textOf(take(bundle, '.css'));
      const left = Object.keys(bundle);
      if (left.length > 0)
        this.error(`the single page would need these files as well: ${left.join(', ')}`);

      const tag = policy({
        'script-src': `${hash(first)} ${hash(script)} 'wasm-unsafe-eval'`,
        'style-src': hash(styles),
        'connect-src': "'none'",
      });
      // Replacements are functions because code is full of "$&".
      const html = atHeadOf(page, tag, `<script>${first}</script>`)
        .replace(/\s*<script[^>]*\ssrc="[^"]*"[^>]*><\/script>/, '')
        .replace(/<link[^>]*\srel="stylesheet"[^>]*>/, () => `<style>${styles}</style>`)
        .replace(
          '</body>',
          () =>
            `<script type="application/octet-stream" id="crema-core">${packed}</script>\n` +
            `    <script>${script}</script>\n  </body>`,
        )
        .replace('</html>', () => `<!--\n${thirdParty}-->\n</html>`);
      const reference = /<[^>]+\s(?:src|href)="(?!data:|#)[^"]*"/.exec(
        html.replace(script, '').replace(styles, ''),
      );
      if (reference) this.error(`the single page refers to another file: ${reference[0]}`);
      this.emitFile({ type: 'asset', fileName, source: html });
    },
  };
}

type Output = Rolldown.OutputAsset | Rolldown.OutputChunk;

/** The one file with that ending, which then is no longer written on its own. */
function take(bundle: Rolldown.OutputBundle, ending: string): Output | undefined {
  const name = Object.keys(bundle).find((candidate) => candidate.endsWith(ending));
  if (name === undefined) return undefined;
  const file = bundle[name];
  delete bundle[name];
  return file;
}

function textOf(file: Output | undefined): string {
  if (!file) return '';
  const text = file.type === 'chunk' ? file.code : file.source;
  return (typeof text === 'string' ? text : new TextDecoder().decode(text)).trim();
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

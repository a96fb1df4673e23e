// npm run docs: the site of docs/, into dist/docs, beside the page that `npm run build` makes.
//
//   npm run docs -- --base /crema/docs/   for a host where it lies below that path (default: /docs/)
//
// Its generator is a package of docs/ alone: nothing else here needs it. A link to a page or heading that does not
// exist ends the build.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { declared } from './recipe.mjs';
import { main, root, run } from './run.mjs';
import { installPackages } from './setup.mjs';

const folder = join(root, 'docs');

/** Where the repository is: as declared, else where the workflow runs. */
function source() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return declared('Source') ?? (server && name ? `${server}/${name}` : '');
}

export async function buildDocs(base = '/docs/') {
  await installPackages(folder);
  rmSync(join(root, 'dist/docs'), { recursive: true, force: true });
  await run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'], {
    cwd: folder,
    env: { CREMA_DOCS_BASE: base, CREMA_SOURCE: source() },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const { values } = parseArgs({ options: { base: { type: 'string' } } });
    await buildDocs(values.base);
    console.log('dist/docs          the documentation, for any static web server');
  });
}

// npm run package: build/package, the npm package: the engine as a library for Node, the command
// `crema`, the page in one file, and what speaks to it from a page around it.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPreset, buildWasm } from './native.mjs';
import { buildPages } from './page.mjs';
import { declared } from './recipe.mjs';
import { main, root, run, runPackage } from './run.mjs';
import { setUp } from './setup.mjs';

const target = join(root, 'build/package');

async function library() {
  // it may have been installed a moment ago
  const { build } = await import('vite');
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    resolve: { alias: { 'crema-core': join(root, 'build/wasm') } },
    // the core's loader becomes part of it: the package needs no other
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'web/engine/package.ts'),
      outDir: target,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'engine.js', codeSplitting: false } },
    },
  });
  await declareTypes('web', 'web/engine/package.ts', { outDir: 'package/types', allowJs: false });
  await declareTypes('public', 'public/crema-host.js', { outDir: 'package/types/host' });
  // What they import from elsewhere comes along; Node's own resolution wants the names of files.
  for (const file of ['wasm/crema.d.ts', 'build/questions.d.ts'])
    copyFileSync(join(root, file), join(target, 'types', basename(file)));
  for (const name of readdirSync(join(target, 'types/engine'))) {
    const file = join(target, 'types/engine', name);
    const text = readFileSync(file, 'utf8')
      .replaceAll(/(from '\.[^']*)'/g, "$1.js'")
      .replaceAll("'../../build/questions.js'", "'../questions.js'")
      .replaceAll("'crema-core/crema.js'", "'../crema.js'");
    writeFileSync(file, text);
  }
}

/** Writes the declarations of `file`, and of what it imports from `folder`. */
async function declareTypes(folder, file, options) {
  const project = join(root, 'build/package-types.json');
  writeFileSync(
    project,
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: {
        noEmit: false,
        emitDeclarationOnly: true,
        declaration: true,
        rootDir: `../${folder}`,
        ...options,
      },
      files: [`../${file}`],
      include: [],
    }),
  );
  await runPackage('typescript/bin/tsc', ['-p', project]);
}

export async function buildPackage() {
  await buildWasm();
  await buildPreset('wasm-cli', ['crema_cli']);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await library();
  for (const file of ['crema.wasm', 'crema-cli.cjs', 'crema-cli.wasm']) {
    copyFileSync(join(root, 'build/wasm', file), join(target, file));
  }
  for (const file of [
    'wasm/node/crema.mjs',
    'wasm/node/README.md',
    'dist/crema.html',
    'public/crema-host.js',
    'LICENSE',
    'THIRD_PARTY.md',
  ])
    copyFileSync(join(root, file), join(target, basename(file)));
  const { version, description, license, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify(
      {
        name: declared('name'), // npm's `crema` is another's, as PyPI's is
        version,
        description,
        license,
        repository: declared('Source'),
        type: 'module',
        engines,
        bin: { crema: './crema.mjs' },
        keywords: declared('keywords'),
        exports: {
          '.': { types: './types/engine/package.d.ts', default: './engine.js' },
          './host': { types: './types/host/crema-host.d.ts', default: './crema-host.js' },
          './crema.html': './crema.html',
          './package.json': './package.json',
        },
      },
      null,
      2,
    )}\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await setUp(['wasm', 'wasm-cli']);
    await buildWasm();
    await buildPages();
    await buildPackage();
    await run('npm', ['pack', '--silent', '--pack-destination', join(root, 'build'), target]);
    console.log('build/package      the npm package; also packed as build/cremascope-*.tgz');
  });
}

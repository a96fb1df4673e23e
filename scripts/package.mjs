// npm run package: build/package, the npm package: the engine as a library for Node, the command
// `crema`, the page in one file.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const project = join(root, 'build/package-types.json');
  writeFileSync(
    project,
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: {
        noEmit: false,
        emitDeclarationOnly: true,
        declaration: true,
        allowJs: false,
        rootDir: '../web',
        outDir: 'package/types',
      },
      files: ['../web/engine/package.ts'],
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
  copyFileSync(join(root, 'wasm/node/crema.mjs'), join(target, 'crema.mjs'));
  copyFileSync(join(root, 'dist/crema.html'), join(target, 'crema.html'));
  for (const file of ['README.md', 'LICENSE']) copyFileSync(join(root, file), join(target, file));
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
        exports: { '.': { types: './types/engine/package.d.ts', default: './engine.js' } },
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

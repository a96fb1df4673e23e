// npm run release -- --dry-run: all that a release consists of, into build/release, each part tried
// as its users install it, with checksums, what changed (CHANGELOG.md) and what others wrote (an
// SBOM of CycloneDX). Without --dry-run it then tags; .github/workflows/release.yml publishes what
// is tagged.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPreset, buildWasm } from './native.mjs';
import { buildPackage } from './package.mjs';
import { buildPages } from './page.mjs';
import { buildWheel, makeEnvironment, python } from './python.mjs';
import { billOfMaterials, changes, condaRecipe } from './recipe.mjs';
import { Failed, main, root, run } from './run.mjs';
import { setUp } from './setup.mjs';
import { tryRelease } from './try-release.mjs';

const release = join(root, 'build/release');
const git = async (...args) => (await run('git', args, { collect: true })).output.trim();

/** Where the version stands, and how it is written there. */
const versions = {
  'package.json': /"version": "([^"]+)"/,
  'CMakeLists.txt': /project\(crema VERSION (\S+)/,
  'python/pyproject.toml': /^version = "([^"]+)"/m,
  'python/cremascope/version.py': /__version__ = "([^"]+)"/,
  'cli/program.cpp': /define CREMA_VERSION "([^"]+)"/,
};

/** The one version. */
function versionOf() {
  const found = Object.entries(versions).map(([file, pattern]) => [
    file,
    pattern.exec(readFileSync(join(root, file), 'utf8'))?.[1],
  ]);
  const [[, version]] = found;
  const other = found.filter(([, one]) => one !== version);
  if (other.length > 0)
    throw new Failed(
      `package.json has version ${version}, but ${other.map(([file, one]) => `${file} ${one}`).join(', ')}.`,
    );
  return version;
}

/** The Python sources with the core's inside, and with the page: what pip builds where no wheel fits. */
async function sourceDistribution() {
  const stage = join(root, 'build/sdist');
  rmSync(stage, { recursive: true, force: true });
  const kept = (await git('ls-files', 'python', 'core', 'cli', 'cmake', 'CMakeLists.txt')).split(
    '\n',
  );
  kept.push('python/cremascope/questions.pyi'); // from the build
  for (const file of kept.filter((name) => !name.startsWith('python/tests/'))) {
    const place = file.startsWith('python/') ? file.slice('python/'.length) : `crema/${file}`;
    cpSync(join(root, file), join(stage, place), { dereference: true });
  }
  cpSync(join(root, 'dist/crema.html'), join(stage, 'crema/dist/crema.html'));
  const build =
    'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])';
  await run(python(), ['-c', build, release], { collect: true, cwd: stage });
}

/** The SHA-256 of a file of the release. */
const checksum = (name) =>
  createHash('sha256')
    .update(readFileSync(join(release, name)))
    .digest('hex');

async function nativeProgram(version) {
  const name = `crema-${version}-${process.platform}-${process.arch}`;
  const folder = join(root, 'build', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['build/native/crema', 'build/native/crema.1', 'dist/crema.html'])
    copyFileSync(join(root, file), join(folder, file.split('/').at(-1)));
  for (const file of ['LICENSE', 'THIRD_PARTY.md'])
    copyFileSync(join(root, file), join(folder, file));
  await run('tar', ['-czf', join(release, `${name}.tar.gz`), '-C', join(root, 'build'), name]);
}

await main(async () => {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } });
  const version = versionOf();
  if (!values['dry-run'] && (await git('status', '--porcelain')) !== '')
    throw new Failed('There are changes that are not committed: a release is of a commit.');
  const notes = changes(version, values['dry-run']);
  await setUp(['wasm', 'wasm-cli', 'native', 'python']);
  await buildPreset('native', ['crema', 'crema_manual']);
  await buildWasm();
  await buildPages();
  await buildPackage();
  if (!(await makeEnvironment({ whole: false })))
    throw new Failed('Without Python there is no wheel.');
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release, { recursive: true });
  copyFileSync(join(root, 'dist/crema.html'), join(release, 'crema.html'));
  await sourceDistribution();
  // of the sources as they are distributed, which shows that they are whole
  const sources = `cremascope-${version}.tar.gz`;
  const wheel = await buildWheel(join(release, sources));
  copyFileSync(wheel, join(release, wheel.split(/[\\/]/).at(-1)));
  await nativeProgram(version);
  const packed = join(root, 'build/package');
  await run('npm', ['pack', '--silent', '--pack-destination', release, packed], { collect: true });
  await tryRelease(release, python());
  writeFileSync(join(release, 'CHANGES.md'), notes);
  writeFileSync(join(release, 'sbom.cdx.json'), await billOfMaterials(version));
  writeFileSync(join(release, 'recipe.yaml'), condaRecipe(version, checksum(sources)));
  const sums = readdirSync(release).map((name) => `${checksum(name)}  ${name}\n`);
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''));
  console.log(`build/release:\n${sums.join('')}`);
  if (values['dry-run']) return;
  await run('git', ['tag', '-a', `v${version}`, '-F', join(release, 'CHANGES.md')]);
  console.log(`Tagged. To publish it: git push origin v${version}`);
});

#!/usr/bin/env node
// The command `crema` of the npm package: a native build where there is one, else the same program
// as WebAssembly.
import { spawnSync } from 'node:child_process';
import fs, {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const native = process.env.CREMA_NATIVE ?? here('../native/crema');
if (existsSync(native)) {
  const { status, error } = spawnSync(native, process.argv.slice(2), { stdio: 'inherit' });
  if (error) throw error;
  process.exit(status ?? 1);
}

const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Whether a path is a zip archive, or a folder with one in it. */
function holdsZip(path) {
  try {
    // a link to a folder may lead around in a circle
    if (isFolder(path))
      return readdirSync(path, { withFileTypes: true })
        .map((entry) => ({ inner: join(path, entry.name), isLink: entry.isSymbolicLink() }))
        .some(({ inner, isLink }) => !(isLink && isFolder(inner)) && holdsZip(inner));
    return isFile(path) && ['PK\x03\x04', 'PK\x05\x06'].includes(beginOf(path, 4));
  } catch {
    // the program itself says what cannot be read
    return false;
  }
}

function beginOf(path, length) {
  const bytes = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, length, 0);
  } finally {
    closeSync(file);
  }
  return bytes.toString('latin1');
}

/**
 * The path that stands for an archive, or for a folder with some, unpacked below `temporary`. The
 * names that lead to it, and an archive's own, are above it: a title may need them.
 */
async function unpacked(path, temporary) {
  const { Engine } = await import('./engine.js');
  const above = path.split(/[\\/]+/).filter((name) => name && !/^\.\.?$|:$/.test(name));
  if (isFolder(path)) above.pop();
  const engine = await Engine.create();
  return engine.unpack(path, join(temporary, ...above), (sentence) =>
    console.error(`crema: ${sentence}`),
  );
}

// A pipe whose reader is slow is full for a moment; the program would take that for an error.
const { writeSync } = fs;
const moment = new Int32Array(new SharedArrayBuffer(4));
fs.writeSync = (...all) => {
  for (;;) {
    try {
      return writeSync(...all);
    } catch (problem) {
      if (problem.code !== 'EAGAIN') throw problem;
      Atomics.wait(moment, 0, 0, 2);
    }
  }
};

const folders = [];
try {
  const args = [];
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'crema-'));
    folders.push(folder);
    return folder;
  };
  for (let arg of process.argv.slice(2)) {
    const isInput = !/^(-o|--output|--junit)$/.test(args.at(-1));
    // "-" is a bundle from standard input, but for an output the other way round
    if (arg === '-' && isInput) {
      arg = join(newFolder(), 'standard input');
      writeFileSync(arg, readFileSync(0));
    }
    args.push(isInput && holdsZip(arg) ? await unpacked(arg, newFolder()) : arg);
  }
  const create = createRequire(import.meta.url)('./crema-cli.cjs');
  await create({
    wasmBinary: readFileSync(here('crema-cli.wasm')),
    arguments: args,
    thisProgram: 'crema',
    preRun: [
      ({ ENV }) => {
        for (const name of ['CREMA_PAGE', 'NO_COLOR', 'TERM']) {
          if (process.env[name] !== undefined) ENV[name] = process.env[name];
        }
        ENV.CREMA_PAGE ??= here('crema.html');
      },
    ],
    quit: (code) => {
      process.exitCode = code;
    },
  });
} catch (problem) {
  console.error(`crema: ${problem instanceof Error ? problem.message : problem}`);
  process.exitCode = 2;
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true });
}

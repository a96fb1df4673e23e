// Small helpers of the commands: where things are, and how programs are run.
import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the first of `names` is found on PATH; undefined when none is. */
export function onPath(...names) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      for (const ending of endings) {
        const candidate = join(folder, name + ending);
        try {
          accessSync(candidate, constants.X_OK);
          return candidate;
        } catch {
          // not here
        }
      }
    }
  }
  return undefined;
}

/** What a command that did not succeed leaves: its message is all that a user needs. */
export class Failed extends Error {}

/**
 * Runs a program in the checkout, or in `cwd`, and waits for it. Its output goes where ours goes, or, with
 * `collect`, into the result. Rejects with Failed when it does not succeed, unless `tolerate` says
 * that the exit code is looked at.
 */
export function run(
  command,
  args,
  { env = {}, collect = false, tolerate = false, cwd = root } = {},
) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', collect ? 'pipe' : 'inherit', collect ? 'pipe' : 'inherit'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (problem) =>
      reject(new Failed(`${command} cannot be run: ${problem.message}`)),
    );
    child.on('close', (code) => {
      if (code === 0 || tolerate) resolve({ code, output });
      else
        reject(
          new Failed(
            `${[command, ...args].join(' ')} ended with exit code ${code}\n${output}`.trim(),
          ),
        );
    });
  });
}

/** Runs the command line of an installed package. */
export function runPackage(script, args, options) {
  return run(process.execPath, [join(root, 'node_modules', script), ...args], options);
}

/**
 * Fails when the Node of this command is older than package.json allows. Asks the program itself: a
 * package that brings Debian's own Node (Emscripten's does) replaces one that stood in its place.
 */
export function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const numbers = (text) => /(\d+)\.(\d+)/.exec(text).slice(1).map(Number);
  const [major, minor] = numbers(engines.node);
  const version = execFileSync(process.execPath, ['--version'], { encoding: 'utf8' }).trim();
  const [itsMajor, itsMinor] = numbers(version);
  if (itsMajor > major || (itsMajor === major && itsMinor >= minor)) return;
  const replaced =
    version === process.version ? '' : ` (it was ${process.version} until a package replaced it)`;
  throw new Failed(
    `${process.execPath} is Node ${version.slice(1)}${replaced}; this needs ${major}.${minor} or newer. Install one from
nodejs.org, in a folder of its own that stands first in PATH, and give the command again.`,
  );
}

/**
 * Puts the Node that runs this command first in PATH, alone: the programs it starts shall find no
 * other.
 */
function useThisNode() {
  if (process.platform === 'win32') return; // links are not everybody's there
  const folder = join(root, 'build/bin');
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, 'node'), { force: true });
  symlinkSync(process.execPath, join(folder, 'node'));
  process.env.PATH = [folder, process.env.PATH].join(delimiter);
}

/** The help text of a script: the comment at its top, without what marks a comment. */
export function helpOf(script) {
  const lines = readFileSync(script, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}

const isMistaken = (problem) => problem?.code?.startsWith('ERR_PARSE_ARGS') ?? false;

/**
 * Runs a whole command, or prints its help where --help or -h is given. A user reads what went
 * wrong as a sentence; only faults of the scripts themselves show a stack.
 */
export async function main(command) {
  const script = process.argv[1];
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(helpOf(script));
    return;
  }
  try {
    checkNode();
    useThisNode();
    await command();
  } catch (problem) {
    if (!(problem instanceof Failed) && !isMistaken(problem)) throw problem;
    console.error(`\n${problem.message}`);
    if (isMistaken(problem)) console.error(`\n${helpOf(script)}`);
    process.exitCode = 1;
  }
}

export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

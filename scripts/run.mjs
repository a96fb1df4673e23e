// Small helpers of the commands: where things are, and how programs are run.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
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
 * Runs a program in the checkout and waits for it. Its output goes where ours goes, or, with `collect`, into the result.
 * Rejects with Failed when it does not succeed, unless `tolerate` says that the exit code is looked at.
 */
export function run(command, args, { env = {}, collect = false, tolerate = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', collect ? 'pipe' : 'inherit', collect ? 'pipe' : 'inherit'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (problem) => reject(new Failed(`${command} cannot be run: ${problem.message}`)));
    child.on('close', (code) => {
      if (code === 0 || tolerate) resolve({ code, output });
      else reject(new Failed(`${[command, ...args].join(' ')} ended with exit code ${code}\n${output}`.trim()));
    });
  });
}

/** Runs the command line of an installed package. */
export function runPackage(script, args, options) {
  return run(process.execPath, [join(root, 'node_modules', script), ...args], options);
}

/** Runs a whole command: what went wrong is said in a sentence, not in a stack. */
export async function main(command) {
  try {
    await command();
  } catch (problem) {
    if (!(problem instanceof Failed)) throw problem;
    console.error(`\n${problem.message}`);
    process.exitCode = 1;
  }
}

export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

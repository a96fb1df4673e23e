/** The command line as a user runs it: the native program, as built. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../../build/native/crema', import.meta.url));

export interface Answer {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `crema` with these arguments, in the folder `cwd` where one is named. */
export function crema(
  args: readonly string[],
  input: string | Uint8Array = '',
  cwd?: string,
): Answer {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    input,
    ...(cwd !== undefined && { cwd }),
    maxBuffer: 2 ** 28,
  });
  return { status, stdout, stderr };
}

/** Runs `crema` with its standard output in the file `path`. */
export function cremaInto(path: string, args: readonly string[]): Omit<Answer, 'stdout'> {
  const file = openSync(path, 'w');
  try {
    const { status, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', file, 'pipe'],
    });
    return { status, stderr };
  } finally {
    closeSync(file);
  }
}

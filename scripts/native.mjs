// Builds through CMake: the command line, the native tests, the WebAssembly core.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

const forWasm = ['wasm', 'safeheap'];

/** Configures (once, CMake then looks for itself) and builds `targets` of a preset of CMakePresets.json. */
export async function buildPreset(preset, targets) {
  if (!existsSync(join(root, 'build', preset, 'build.ninja'))) {
    const [command, ...args] = [...(forWasm.includes(preset) ? ['emcmake'] : []), 'cmake', '--preset', preset];
    await run(command, args, { collect: true });
  }
  await run('cmake', ['--build', join('build', preset), '--target', ...targets]);
}

export const buildWasm = () => buildPreset('wasm', ['crema_wasm']);

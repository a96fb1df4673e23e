// Builds through CMake: the command line, the native tests, the WebAssembly core.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

const forWasm = ['wasm', 'safeheap'];

/** Configures a preset of CMakePresets.json, once: CMake then looks for itself. */
export async function configurePreset(preset) {
  if (existsSync(join(root, 'build', preset, 'build.ninja'))) return;
  const [command, ...args] = [...(forWasm.includes(preset) ? ['emcmake'] : []), 'cmake', '--preset', preset];
  await run(command, args, { collect: true });
}

/** Configures a preset and builds `targets` of it. */
export async function buildPreset(preset, targets) {
  await configurePreset(preset);
  await run('cmake', ['--build', join('build', preset), '--target', ...targets]);
}

export const buildWasm = () => buildPreset('wasm', ['crema_wasm']);

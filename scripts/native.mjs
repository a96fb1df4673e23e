// Builds through CMake: the command line, the native tests, the WebAssembly core.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onPath, root, run } from './run.mjs';

/** Configures (once, CMake then looks for itself) and builds `targets` of a preset of CMakePresets.json. */
export async function buildPreset(preset, targets) {
  const emscripten = preset === 'wasm';
  const env = emscripten ? emscriptenEnvironment() : {};
  if (!existsSync(join(root, 'build', preset, 'build.ninja'))) {
    const configure = ['cmake', '--preset', preset];
    const [command, ...args] = emscripten ? [onPath('emcmake') ?? 'emcmake', ...configure] : configure;
    await run(command, args, { env, collect: true });
  }
  await run('cmake', ['--build', join('build', preset), '--target', ...targets], { env });
}

export const buildWasm = () => buildPreset('wasm', ['crema_wasm']);

function emscriptenEnvironment() {
  const env = {};
  // Debian's Emscripten finds its JavaScript parser through Debian's Node only; any Node shall do.
  if (existsSync('/usr/share/nodejs/acorn')) {
    env.NODE_PATH = [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(':');
  }
  if (onPath('ccache')) env.EM_COMPILER_WRAPPER = 'ccache';
  return env;
}

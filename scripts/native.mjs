// Builds through CMake: the command line, the native tests, the WebAssembly core.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { writeTypes } from './contract.mjs';
import { presets } from './presets.mjs';
import { buildWithProgress } from './progress.mjs';
import { onPath, root, run } from './run.mjs';

/** Clang where nothing else is wanted: it takes half of GCC's time, and shares what fuzzing needs. */
export const compiler = () => (!process.env.CXX && onPath('clang++') ? { CXX: 'clang++' } : {});

/** Configures a preset of CMakePresets.json, once: CMake then looks for itself. */
export async function configurePreset(preset) {
  const { folder, parts, tools } = presets[preset];
  const cache = join(root, folder, 'CMakeCache.txt');
  const configured =
    existsSync(join(root, folder, 'build.ninja')) &&
    existsSync(cache) &&
    /^CREMA_PARTS:\w+=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1].split(';');
  // two presets may share a folder
  if (configured && parts.every((part) => configured.includes(part))) return;
  const [command, ...args] = [
    ...(tools.includes('emscripten') ? ['emcmake'] : []),
    'cmake',
    '--preset',
    preset,
  ];
  await run(command, args, { collect: true, env: command === 'cmake' ? compiler() : {} });
}

/**
 * Configures a preset and builds `targets` of it, with a line that says how far it is. The command
 * line then says what types its questions have.
 */
export async function buildPreset(preset, targets, options) {
  await configurePreset(preset);
  await buildWithProgress(presets[preset].title, presets[preset].folder, targets, options);
  if (preset === 'native' && targets.includes('crema')) writeTypes();
}

/**
 * How many test cases passed and failed, from the last lines of Catch2. Its releases 2 and 3 name
 * the option for plain text differently, so colours are taken out here.
 */
export function catchCounts(output) {
  const text = stripVTControlCharacters(output);
  const all = /All tests passed \(.* in (\d+) test cases?\)/.exec(text);
  if (all) return { passed: Number(all[1]), failed: 0 };
  const [, total, failed] = /test cases:\s*(\d+).*?(\d+) failed/.exec(text) ?? [0, 1, 1];
  return { passed: Number(total) - Number(failed), failed: Number(failed) };
}

export const buildWasm = () => buildPreset('wasm', ['crema_wasm']);

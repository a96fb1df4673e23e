// What CMakePresets.json and cmake/dependencies.json say, for the commands.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

const list = read('CMakePresets.json').configurePresets;

/** A value of a preset, its own or the one that it inherits. */
const resolved = (preset, value) =>
  value(preset) ??
  (preset.inherits &&
    resolved(
      list.find(({ name }) => name === preset.inherits),
      value,
    ));

/**
 * By name: its title for people, its build folder, the parts that it builds (CREMA_PARTS), the
 * tools that it needs (names in setup.mjs).
 */
export const presets = Object.fromEntries(
  list.map((preset) => [
    preset.name,
    {
      title: preset.displayName,
      folder: resolved(preset, ({ binaryDir }) => binaryDir).replace(/^\$\{sourceDir\}\//, ''),
      parts: resolved(preset, ({ cacheVariables }) => cacheVariables?.CREMA_PARTS).split(';'),
      tools: resolved(preset, ({ vendor }) => vendor?.crema.tools),
    },
  ]),
);

const { headerFolders, libraries } = read('cmake/dependencies.json');

export { headerFolders, libraries };

/** Names of the libraries that a preset is configured with. */
export function librariesOf(preset) {
  const { parts, tools } = presets[preset];
  return Object.keys(libraries).filter((name) => {
    const library = libraries[name];
    return (
      library.parts.some((part) => parts.includes(part)) &&
      !(library.onlyNatively && tools.includes('emscripten'))
    );
  });
}

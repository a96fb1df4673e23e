// Opens a file in the WebAssembly core of a build and asks about it: `node open_in_node.mjs FOLDER
// FILE ROUNDS QUESTION…`, FOLDER having crema.js and crema.wasm. In a process of its own, so that
// two builds do not meet. Prints the median processor time of a round [s].
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openIn } from './open_bytes.mjs';

const [folder, file, rounds, ...questions] = process.argv.slice(2);
const { default: createCrema } = await import(pathToFileURL(join(folder, 'crema.js')).href);
const { Session } = await createCrema({ wasmBinary: readFileSync(join(folder, 'crema.wasm')) });
const bytes = new Uint8Array(readFileSync(file));
const times = [];
for (let round = 0; round < Number(rounds); round++) {
  const begin = process.cpuUsage();
  const session = new Session();
  openIn(session, bytes);
  for (const question of questions) {
    session.ask(JSON.stringify({ question, runs: [0] }));
    session.release();
  }
  session.delete();
  const { user, system } = process.cpuUsage(begin);
  times.push((user + system) / 1e6);
}
console.log(times.toSorted((a, b) => a - b)[times.length >> 1]);

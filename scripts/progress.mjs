// A build in one line: what is built, how much of it, and the time left.
import { spawn } from 'node:child_process';
import { Failed, onPath, root } from './run.mjs';

/** Ninja begins its lines with it: steps that are finished, and all. */
const status = '@crema %f %t@ ';
const parts = /^@crema (\d+) (\d+)@ /;
/** Of our own code: a user's build goes on where a newer compiler warns, continuous integration does not. */
const warning = /\b(core|cli|wasm|tests)\/\S+\.[ch]pp:\d+:\d+: warning:/;

/**
 * Builds `targets` of a build folder. Shows a line that is rewritten on a terminal, and elsewhere
 * one every ten seconds, while
 * `isHeard`; what compilers say comes when it is. `nice` leaves the processor to whatever else
 * runs.
 */
export function buildWithProgress(
  what,
  folder,
  targets,
  { isHeard = () => true, nice = false } = {},
) {
  const before = nice && onPath('nice') ? ['nice', '-n', '10'] : [];
  const [command, ...args] = [...before, 'cmake', '--build', folder, '--target', ...targets];
  const line = progressLine(what, isHeard);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, NINJA_STATUS: status },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let wrong;
    let warned = false;
    const take = (text) => {
      const step = parts.exec(text);
      if (step) line.step(Number(step[1]), Number(step[2]));
      else if (text !== '' && !/^ninja: no work|^-- /.test(text)) line.say(text);
      wrong ??= /\berror:/.test(text) ? text : undefined;
      warned ||= warning.test(text);
    };
    for (const stream of [child.stdout, child.stderr]) {
      let rest = '';
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        lines.forEach(take);
      });
      stream.on('end', () => take(rest));
    }
    child.on('error', (problem) => {
      line.end(false);
      reject(new Failed(`${command} cannot be run: ${problem.message}`));
    });
    child.on('close', (code) => {
      line.end(code === 0);
      if (code !== 0)
        reject(
          new Failed(`${what}: it could not be built, see above${wrong ? ` (${wrong})` : ''}.`),
        );
      else if (warned && process.env.CI)
        reject(new Failed(`${what}: the compiler warned, see above.`));
      else resolve();
    });
  });
}

function progressLine(what, isHeard) {
  const since = performance.now();
  const isTerminal = process.stdout.isTTY;
  const elapsed = () => (performance.now() - since) / 1000;
  let [done, all, at] = [0, 0, 0];
  let unsaid = [];
  let isShown = false;
  const clear = () => {
    if (isShown) process.stdout.write('\r\x1b[K');
    isShown = false;
  };
  const speak = () => {
    clear();
    for (const text of unsaid) console.log(text);
    unsaid = [];
  };
  const timeLeft = () => {
    // the first step says little about the others, and the others little about the last, which
    // links
    if (done < 2) return '';
    if (all - done === 1) return ', linking';
    // between two steps the time only falls
    return `, about ${Math.max(1, Math.ceil((at / done) * all - elapsed()))} s left`;
  };
  const show = () => {
    if (!isHeard()) return;
    speak();
    const text = `${what}: ${done} of ${all === 0 ? '?' : all} steps${timeLeft()}`;
    isShown = isTerminal;
    if (isTerminal) process.stdout.write(text.slice(0, process.stdout.columns - 1));
    else console.log(text);
  };
  const timer = setInterval(show, isTerminal ? 500 : 10_000);
  return {
    step(finished, total) {
      [done, all, at] = [finished, total, elapsed()];
    },
    say(text) {
      unsaid.push(text);
      if (isHeard()) speak();
    },
    end(well) {
      clearInterval(timer);
      speak();
      // nothing to do is not worth a word
      if (well && done > 0 && isHeard()) console.log(`${what}: built in ${elapsed().toFixed(1)} s`);
    },
  };
}

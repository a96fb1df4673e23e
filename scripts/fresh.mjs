// npm run fresh: both commands of the README as a stranger gives them: in a clean clone of the last
// commit, with the caches of compiler and npm gone. `npm run fresh -- start` or `-- test` tries one
// of them.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failed, main, root, run, seconds } from './run.mjs';

const answersWithinMilliseconds = 20 * 60 * 1000;

/** Runs `npm start` until the page answers. */
function start(folder, env) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['start'], {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const end = (finish) => {
      clearTimeout(limit);
      try {
        // npm and the server it started are one group
        process.kill(-child.pid);
      } catch {
        // it has ended already
      }
      finish();
    };
    const limit = setTimeout(
      () => end(() => reject(new Failed('npm start did not answer'))),
      answersWithinMilliseconds,
    );
    let output = '';
    child.stdout.on('data', async (text) => {
      process.stdout.write(text);
      output += text;
      const url = /Crema is at (http:\S+)/.exec(output)?.[1];
      if (!url) return;
      output = '';
      const answer = await fetch(url);
      const page = await answer.text();
      if (answer.ok && page.includes('id="app"')) end(resolve);
      else end(() => reject(new Failed(`${url} answered ${answer.status}`)));
    });
    child.on('close', (code) =>
      end(() => reject(new Failed(`npm start ended with exit code ${code}`))),
    );
  });
}

function test(folder, env) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['test'], { cwd: folder, env, stdio: 'inherit' });
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Failed(`npm test ended with exit code ${code}`)),
    );
  });
}

await main(async () => {
  const wanted = process.argv.slice(2);
  for (const [name, command] of Object.entries({ start, test })) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const folder = mkdtempSync(join(tmpdir(), 'crema-fresh-'));
    try {
      await run('git', ['clone', '--quiet', root, join(folder, 'crema')]);
      const env = {
        ...process.env,
        CCACHE_DISABLE: '1',
        npm_config_cache: join(folder, 'npm-cache'),
      };
      const since = performance.now();
      await command(join(folder, 'crema'), env);
      console.log(`\nnpm ${name} in a clean clone: ${seconds(since)}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
});

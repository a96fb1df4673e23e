// npm run lab: records runs with known causes (lab/README.md). Python does it, in the environment of
// the package's tests.
import { delimiter, join } from 'node:path';
import { makeEnvironment, python } from './python.mjs';
import { main, root, run } from './run.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  await setUp(['python']);
  if (!(await makeEnvironment({ whole: true }))) {
    process.exitCode = 1;
    return;
  }
  // The recorder's sources are enough: it needs no compiled core.
  const path = [root, join(root, 'python'), process.env.PYTHONPATH].filter(Boolean);
  const { code } = await run(python(), ['-m', 'lab', ...process.argv.slice(2)], {
    tolerate: true,
    env: { PYTHONPATH: path.join(delimiter) },
  });
  process.exitCode = code;
});

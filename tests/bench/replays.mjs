// Whether a page that followed a recording says in the end what one says that opens it afterwards:
// `npm run bench -- replays --bundles FOLDER`, recordings of the laboratory.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPreset } from '../../scripts/native.mjs';
import { Failed, root } from '../../scripts/run.mjs';

export async function replays({ bundles }) {
  if (!bundles) throw new Failed('replays needs --bundles FOLDER: recordings by crema.record');
  await buildPreset('native', ['crema_bench_replay']);
  const scratch = mkdtempSync(join(tmpdir(), 'crema-replays-'));
  try {
    for (const name of readdirSync(bundles)) {
      if (name.endsWith('.zip')) execFileSync('unzip', ['-qo', join(bundles, name), '-d', scratch]);
    }
    const folders = readdirSync(scratch)
      .sort()
      .map((name) => join(scratch, name));
    const program = join(root, 'build/native/tests/bench/crema_bench_replay');
    const { status } = spawnSync(program, folders, { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return [];
}

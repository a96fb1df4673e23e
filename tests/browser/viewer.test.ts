/** What leaves for the real speedscope viewer has the same numbers there, and comes back. */
import { describe, expect, it } from 'vitest';
import { createNodeEngine } from '../../web/engine/node';
import type { Table } from '../../web/engine/table';
import { bundle, bundleNames } from '../support/bundles';
import { openChromiumWithWebGL } from './chromium';
import type { Driver } from './driver';
import { useScene } from './scene';
import { expectSoon } from './soon';
import { type SpeedscopeFile, sandwichRows, serveSpeedscope, shownRow } from './speedscope';

let driver: Driver;

// The viewer draws with WebGL, which without a graphics card only this engine has.
useScene((scene) => {
  ({ driver } = scene);
}, openChromiumWithWebGL);

const rowsCompared = 50;

/** Every stack of a profile with its count. */
function stacksOf(table: Table): Map<string, number> {
  const stacks = new Map<string, number>();
  for (let row = 0; row < table.rows; row += 1)
    stacks.set(table.text('stack', row) ?? '', table.number('count', row));
  return stacks;
}

describe('in the real speedscope viewer', () => {
  for (const name of bundleNames()) {
    it(`every profile of ${name} has the totals and self times it has here`, async () => {
      const engine = await createNodeEngine();
      const opened = await engine.open(await bundle(name));
      const run = opened.runs[0] ?? 0;
      const profiles = await engine.ask('profiles', { runs: [run] });
      if (profiles.rows === 0) return;
      const [artefact] = await engine.export(run, 'speedscope');
      if (!artefact) throw new Error('nothing was exported');
      const file = JSON.parse(new TextDecoder().decode(artefact.content)) as SpeedscopeFile;

      const viewer = await serveSpeedscope(artefact.content);
      try {
        await driver.open(viewer.url);
        await driver.resize(1280, 1500);
        for (const [index, profile] of file.profiles.entries()) {
          await driver.read(
            'body > div',
            file.profiles.length > 1 ? `(${index + 1}/${file.profiles.length})` : '%)',
          );
          const expected = sandwichRows(file, profile);
          const rows = async () =>
            (await driver.readAll('table tr')).flatMap((row) => shownRow(row) ?? []);
          const least = Math.min(rowsCompared, used(profile.samples));
          await expectSoon(async () => (await rows()).length, profile.name).toBeGreaterThanOrEqual(
            least,
          );
          const unexpected = async () => notAmong(await rows(), expected);
          await expectSoon(unexpected, profile.name).toEqual([]);
          await driver.key('n');
        }

        // what the viewer writes itself is the same tree, read back
        const saved = await driver.saveBy('Control+s');
        const again = await createNodeEngine();
        const back = await again.open([
          { path: 'back.speedscope.json', data: new Blob([saved.content.slice()]) },
        ]);
        const theirs = await again.ask('profiles', { runs: back.runs });
        for (const [index, profile] of file.profiles.entries()) {
          const id = theirs.text('profile', index + 1) ?? '';
          const read = await again.ask('stacks', {
            runs: back.runs,
            options: { profile: id, most: 100000 },
          });
          const total = profile.weights.reduce((sum, weight) => sum + weight, 0);
          expect(read.notes.total, profile.name).toBe(total);
          const wrote = await engine.ask('stacks', {
            runs: [run],
            options: {
              profile: profiles.text('profile', rowOfTitle(profiles, profile.name)) ?? 'all',
              most: 100000,
            },
          });
          expect([...stacksOf(read).values()].sort(), profile.name).toEqual(
            [...stacksOf(wrote).values()].sort(),
          );
        }
      } finally {
        await viewer.close();
      }
    });
  }
});

/** The rows that are none of `expected`, or there more often than there. */
function notAmong(rows: readonly string[], expected: ReadonlyMap<string, number>): string[] {
  const left = new Map(expected);
  return rows.filter((row) => {
    const times = left.get(row) ?? 0;
    left.set(row, times - 1);
    return times <= 0;
  });
}

/** How many frames have a sample on them. */
const used = (samples: number[][]): number => new Set(samples.flat()).size;

const rowOfTitle = (profiles: Table, title: string): number =>
  Array.from({ length: profiles.rows }, (_, row) => row).find((row) => {
    const label = profiles.text('label', row);
    const isSource = profiles.number('alternative', row) === 1;
    return (
      !isSource &&
      (title === label || title === `worker ${label}` || title === `task prefix ${label}`)
    );
  }) ?? 0;

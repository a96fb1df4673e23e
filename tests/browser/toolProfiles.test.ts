/** Profiles of other tools (tests/data/tools), dropped on the page: the flame graph counts what the tool does. */
import { it } from 'vitest';
import { pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

// Shares by hand: mass in cProfile's 2.5525 of 3.0791 s, in Austin's stacks 6.06 of 8.38 s, fill in
// memray's rows 25.48 of 26.57 MB; 28 of perf's 109 samples; go tool pprof says 0.34 of 1.58 s.
it.each([
  ['cprofile.prof.gz', '3.08 s', 'mass', '82.9 %'],
  ['pyinstrument.json', '3.03 s', 'mass', '84.3 %'],
  ['scalene.json.gz', '2.86 s', 'mass', '73.9 %'],
  ['viztracer.json.gz', '18.4 s', 'mass', '82.8 %'],
  ['py-spy.trace.json.gz', '2.59 s', 'mass', '62.2 %'],
  ['austin.txt.gz', '8.38 s', 'mass', '72.4 %'],
  ['memray.csv', '26.6 MB', 'fill', '95.9 %'],
  ['perf.txt', '2.22 s', '_PyEval_EvalFrameDefault', '25.7 %'],
  ['go-cpu.pb.gz', '1.58 s', 'main.mass', '21.5 %'],
])('%s takes %s, %s %s of it', async (file, total, name, share) => {
  await driver.open(host.url);
  await driver.drop([pathOf('tools', file)]);
  await driver.click('tab-flame');
  await driver.read('flame-total', total);
  await driver.type('flame-search', name);
  await driver.read('flame-matched', share);
});

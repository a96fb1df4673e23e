/** A link written where other runs were open. */
import { beforeEach, describe, expect, it } from 'vitest';
import { goTo, here } from '../../web/state/link';
import { pair } from '../../web/state/pair';
import { formatPermalink, parsePermalink } from '../../web/state/permalink';
import { activeRunId, openRuns } from '../../web/state/runs';
import { openRun, runFrom } from '../support/openRun';
import '../../web/views/views';

const shown = () => openRuns.value.find(({ id }) => id === activeRunId.value)?.title;
const sides = () => [pair.value?.a.title, pair.value?.b.title];
const follow = (hash: string) => goTo(parsePermalink(hash));

beforeEach(() => {
  // a file of this computer, and what came from three addresses, the last of which holds two runs
  openRuns.value = [
    openRun(1),
    runFrom(2, 'a.zip'),
    runFrom(3, 'b.zip'),
    runFrom(4, 'two.zip'),
    runFrom(5, 'two.zip'),
  ];
  activeRunId.value = 1;
});

describe('the run that a link means', () => {
  it('is counted among those that the link names, though others are open', () => {
    follow('#v=2&url=b.zip&view=chunks');
    expect(shown()).toBe('run 3');
    follow('#v=2&url=a.zip&url=two.zip&run=2&view=chunks');
    expect(shown()).toBe('run 5');
    // in the order of the link, whichever was opened first
    follow('#v=2&url=b.zip&url=a.zip&run=1&view=chunks');
    expect(shown()).toBe('run 2');
  });

  it('is shown, also when the link says nothing of a view', () => {
    follow('#url=b.zip');
    expect(shown()).toBe('run 3');
  });

  it('is known by its title where it came from no address', () => {
    openRuns.value = [openRun(8), openRun(7)];
    activeRunId.value = 7;
    follow('#v=2&name=run%206&name=run%208&run=1&view=chunks');
    expect(shown()).toBe('run 8');
  });

  it('is counted among all by the page’s own links, and by those that name none', () => {
    activeRunId.value = 4;
    const own = formatPermalink(here.value);
    activeRunId.value = 1;
    follow(own);
    expect(shown()).toBe('run 4');
    follow('#view=chunks&run=2');
    expect(shown()).toBe('run 3');
  });

  it('stays the one that is shown when there is no such run', () => {
    follow('#v=2&url=b.zip&run=7&view=chunks');
    expect(shown()).toBe('run 1');
  });
});

describe('the runs that a link compares', () => {
  it('are counted among those that the link names, too', () => {
    follow('#v=2&url=b.zip&url=two.zip&view=compare&ab=2~0');
    expect(sides()).toEqual(['run 5', 'run 3']);
  });

  it('are left to the page when one of them is not open', () => {
    follow('#v=2&url=b.zip&url=two.zip&view=compare&ab=2~0');
    follow('#v=2&url=a.zip&view=compare&ab=1~0');
    expect(sides()).toEqual(['run 1', 'run 2']);
  });
});

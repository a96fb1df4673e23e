import { beforeEach, describe, expect, it } from 'vitest';
import { goTo, here } from '../../web/state/link';
import {
  changeBy,
  choose,
  diffWidth,
  pair,
  per,
  runsOf,
  sidesOption,
  swap,
  takeSide,
  target,
  toggleReplicate,
} from '../../web/state/pair';
import { formatPermalink, parsePermalink } from '../../web/state/permalink';
import { activeRunId, openRuns } from '../../web/state/runs';
import { view } from '../../web/state/view';
import { changeLevel } from '../../web/views/compare/changeColours';
import { openRun } from '../support/openRun';
import '../../web/views/views';

const run = (id: number, startedAt: number) =>
  openRun(id, { started_at: startedAt, started_naive: startedAt });

const ids = () => [pair.value?.a.id, pair.value?.b.id];

beforeEach(() => {
  openRuns.value = [run(3, 200), run(5, 100), run(7, 300)];
  activeRunId.value = 3;
  view.value = 'compare';
  goTo({ view: 'compare', run: 0 });
});

const linkNow = () => formatPermalink(here.value);
const plain = '#v=2&name=run%203&name=run%205&name=run%207&view=compare';

describe('the two runs that are compared', () => {
  it('are the earliest, as the baseline, and the one that is shown', () => {
    expect(ids()).toEqual([5, 3]);
    activeRunId.value = 7;
    expect(ids()).toEqual([5, 7]);
    // the baseline is shown: then the next by age
    activeRunId.value = 5;
    expect(ids()).toEqual([5, 3]);
  });

  it('are none while one run is open', () => {
    openRuns.value = [run(3, 200)];
    expect(pair.value).toBeUndefined();
  });

  it('can be chosen; one that is on the other side changes places', () => {
    choose('a', 7);
    expect(ids()).toEqual([7, 3]);
    choose('a', 3);
    expect(ids()).toEqual([3, 7]);
    swap();
    expect(ids()).toEqual([7, 3]);
  });

  it('stay when a file is added to one of them, which opens it anew', () => {
    choose('a', 7);
    choose('b', 5);
    takeSide(7, 9);
    openRuns.value = openRuns.value.map((open) => (open.id === 7 ? run(9, 300) : open));
    expect(ids()).toEqual([9, 5]);
  });

  it('are others when a chosen one was closed', () => {
    choose('b', 7);
    openRuns.value = openRuns.value.filter(({ id }) => id !== 7);
    expect(ids()).toEqual([5, 3]);
  });

  it('come back from a link as they were, by their places', () => {
    choose('a', 7);
    per.value = 'million_events';
    changeBy.value = 'host';
    target.value = 25;
    diffWidth.value = 'a';
    const link = linkNow();
    expect(link).toBe(`${plain}&ab=2~0&per=million_events&by=host&dw=a&target=25`);
    goTo(parsePermalink(plain));
    expect(linkNow()).toBe(plain);
    goTo(parsePermalink(link));
    expect(linkNow()).toBe(link);
    expect(ids()).toEqual([7, 3]);
    expect(diffWidth.value).toBe('a');
  });

  it('have replicates on either side, each run on one, which a link brings back', () => {
    openRuns.value = [...openRuns.value, run(9, 400), run(11, 500)];
    choose('a', 5);
    choose('b', 3);
    toggleReplicate('a', 7);
    toggleReplicate('b', 9);
    const sides = () => {
      const now = pair.value;
      return now && [runsOf(now), sidesOption(now).runs_of_a];
    };
    expect(sides()).toEqual([[5, 7, 3, 9], 2]);
    const link = linkNow();
    expect(link).toContain('&ab=1-2~0-3');
    // ticked on the other side it leaves this one
    toggleReplicate('b', 7);
    expect(sides()).toEqual([[5, 3, 7, 9], 1]);
    swap();
    expect(sides()).toEqual([[3, 7, 9, 5], 3]);
    goTo(parsePermalink(link));
    expect(sides()).toEqual([[5, 7, 3, 9], 2]);
    // a replicate that comes to lead a side is on that side alone
    choose('b', 7);
    expect(sides()).toEqual([[5, 7, 9], 1]);
  });

  it('are not what a link cannot mean', () => {
    goTo(parsePermalink('#view=compare&ab=0~9-9&per=none&by=x&align=&dw=c&target=-1'));
    expect(ids()).toEqual([5, 3]);
    expect(linkNow()).toBe(plain);
  });

  it('are another view’s matter: a link to that one leaves them as they are', () => {
    per.value = 'share';
    goTo(parsePermalink('#view=chunks&per=million_events'));
    expect(per.value).toBe('share');
  });
});

describe('the colour of a change', () => {
  it('says the factor, on a scale that is the same both ways', () => {
    expect(changeLevel(1, 4, 1)).toBe(1);
    expect(changeLevel(4, 1, 1)).toBe(-1);
    expect(changeLevel(1, 2, 1)).toBeCloseTo(0.5);
    expect(changeLevel(1, 100, Number.NaN)).toBe(1);
  });

  it('is at its end for what only one of the runs has, and says nothing within the noise', () => {
    expect(changeLevel(0, 3, 1)).toBe(1);
    expect(changeLevel(3, 0, 1)).toBe(-1);
    expect(changeLevel(1, 4, 0)).toBe(0);
    expect(changeLevel(0, 0, 1)).toBe(0);
  });
});

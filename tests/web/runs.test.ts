/** What stays and what goes when runs are shown, closed and opened anew. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../web/engine/engine';
import { provideEngine } from '../../web/state/engine';
import { flame, plainFlame, setFlame } from '../../web/state/flame';
import { chooseProcessor, processorOf } from '../../web/state/processor';
import {
  acceptDamage,
  acceptedPartial,
  activeRunId,
  closeRun,
  openRuns,
  replaceRun,
  showRun,
} from '../../web/state/runs';
import { selection, selectTime } from '../../web/state/selection';
import { pins, zoom } from '../../web/state/timelines';
import { openRun } from '../support/openRun';

/** How the shown run is looked at. */
const look = () => ({
  selection: selection.value,
  zoom: zoom.value,
  pins: pins.value,
  flame: [flame.value.begin, flame.value.end, flame.value.selected],
});
const plain = { selection: {}, zoom: undefined, pins: [], flame: [0, 1, ''] };
const closer = {
  selection: { time: [1, 2] },
  zoom: [0, 3],
  pins: [1, 2],
  flame: [0.25, 0.5, 'main;work'],
};

beforeEach(() => {
  const engine = { close: async () => undefined, ask: () => Promise.reject(new Error('stopped')) };
  provideEngine(engine as unknown as Engine);
  openRuns.value = [openRun(1), openRun(2)];
  activeRunId.value = 2;
  flame.value = plainFlame;
  setFlame({ begin: 0.25, end: 0.5, selected: 'main;work' });
  selectTime([1, 2]);
  zoom.value = [0, 3];
  pins.value = [1, 2];
});

describe('how a run is looked at', () => {
  it('goes when another is shown', () => {
    expect(look()).toEqual(closer);
    showRun(1);
    expect(look()).toEqual(plain);
  });

  it('goes when the run is closed: another is shown then', async () => {
    await closeRun(2);
    expect(activeRunId.value).toBe(1);
    expect(look()).toEqual(plain);
  });

  it('stays when another run is closed', async () => {
    await closeRun(1);
    expect(look()).toEqual(closer);
  });

  it('stays when a file is added to the run, with the chosen processor and its accepted damage', async () => {
    chooseProcessor(2, 'MyProcessor');
    acceptDamage(2);
    await replaceRun(2, openRun(3));
    expect(activeRunId.value).toBe(3);
    expect(look()).toEqual(closer);
    expect(processorOf(3)).toBe('MyProcessor');
    expect(acceptedPartial.value.has(3)).toBe(true);
  });
});

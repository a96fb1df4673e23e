import { batch } from '@preact/signals';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { workerLabel } from '../../web/domain/workers';
import { type Column, Table } from '../../web/engine/table';
import { clockTicks } from '../../web/plot/scales';
import { nextSample } from '../../web/plot/timeGestures';
import { goTo, here } from '../../web/state/link';
import { formatPermalink, parsePermalink } from '../../web/state/permalink';
import { activeRunId } from '../../web/state/runs';
import {
  chunkSelection,
  select,
  selection,
  selectNames,
  workerSelection,
} from '../../web/state/selection';
import {
  barColour,
  barKind,
  chosenForms,
  folded,
  pinAt,
  pins,
  rowOrder,
  unpin,
  wallClock,
  zoom,
} from '../../web/state/timelines';
import { brushTime, redoSelection, undoSelection } from '../../web/state/undo';
import { view } from '../../web/state/view';
import { spliced, trackList } from '../../web/views/timelines/tracks';
import { windowAround } from '../../web/views/timelines/useWindow';
import { marksOfRow } from '../../web/views/timelines/WorkerRows';
import '../../web/views/views';

beforeEach(() => {
  activeRunId.value = (activeRunId.value ?? 0) + 1;
  select({});
  goTo({ view: 'timelines' });
});

const linkNow = () => formatPermalink({ ...here.value, view: view.value });

describe('what is selected', () => {
  it('is undone and redone, a drag as one step', () => {
    selectNames('datasets', ['data']);
    brushTime([1, 2], false);
    brushTime([1, 3], false);
    brushTime([1, 4], true);
    expect(undoSelection()).toBe(true);
    expect(selection.value).toEqual({ datasets: ['data'] });
    expect(undoSelection()).toBe(true);
    expect(selection.value).toEqual({});
    expect(undoSelection()).toBe(false);
    redoSelection();
    redoSelection();
    expect(selection.value).toEqual({ datasets: ['data'], time: [1, 4] });
    expect(redoSelection()).toBe(false);
  });

  it('is not undone into another run, and a new step ends what could be redone', () => {
    selectNames('datasets', ['data']);
    undoSelection();
    selectNames('hosts', ['h']);
    expect(redoSelection()).toBe(false);
    batch(() => {
      activeRunId.value = (activeRunId.value ?? 0) + 1;
      select({});
    });
    expect(undoSelection()).toBe(false);
  });

  it('asks of workers only what narrows workers, of chunks what narrows chunks', () => {
    selectNames('workers', ['w']);
    const before = workerSelection.value;
    select({ ...selection.value, datasets: ['data'], time: [0, 1] });
    expect(workerSelection.value).toBe(before);
    expect(chunkSelection.value).toEqual({ workers: ['w'], datasets: ['data'] });
  });
});

describe('how the timelines are looked at', () => {
  it('stands in the link and comes back from it', () => {
    zoom.value = [1.5, 20.25];
    pinAt(3);
    pinAt(4.125);
    folded.value = { cores: true, lag: false };
    chosenForms.value = { cpu: 'heat', memory: 'lines' };
    rowOrder.value = 'first_seen';
    barColour.value = 'host';
    barKind.value = 'stack';
    wallClock.value = true;
    const link = linkNow();
    goTo({ view: 'timelines' });
    expect(linkNow()).toBe('#v=2&view=timelines');
    goTo(parsePermalink(link));
    expect(linkNow()).toBe(link);
    expect(zoom.value).toEqual([1.5, 20.25]);
    expect(folded.value).toEqual({ cores: true, lag: false });
  });

  it('takes nothing from a link that cannot be meant', () => {
    goTo(
      parsePermalink(
        '#view=timelines&z=9~1&pin=a~2&fold=cores.yes&form=cpu.pie&sort=colour&lanes=x',
      ),
    );
    expect(linkNow()).toBe('#v=2&view=timelines&pin=2');
  });

  it('measures between two pins, and the third begins anew', () => {
    pinAt(1);
    pinAt(2);
    pinAt(3);
    expect(pins.value).toEqual([3]);
    expect(unpin()).toBe(true);
    expect(unpin()).toBe(false);
  });
});

describe('the window that is asked for', () => {
  it('holds what is visible and is at most four times as long', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 1e-4, max: 1, noNaN: true }),
        (whole, place, share) => {
          const length = whole * share;
          const begin = place * (whole - length);
          const { time } = windowAround([begin, begin + length], [0, whole], 1000);
          if (!time) {
            expect(share).toBeGreaterThan(0.249);
            return;
          }
          expect(time[0]).toBeLessThanOrEqual(begin);
          expect(time[1]).toBeGreaterThanOrEqual(begin + length - 1e-9 * whole);
          expect(time[1] - time[0]).toBeLessThanOrEqual(4 * length * (1 + 1e-9));
        },
      ),
    );
  });

  it('stays the same while one pans within it', () => {
    const one = windowAround([10, 20], [0, 160], 1000);
    expect(windowAround([11, 21], [0, 160], 1000)).toEqual(one);
    expect(one.time).toEqual([10, 30]);
  });

  it('takes the place of what it refines', () => {
    const whole = { edges: Float64Array.of(0, 10, 20, 30), values: Float64Array.of(1, 2, 3) };
    const part = { edges: Float64Array.of(10, 15, 20), values: Float64Array.of(7, 8) };
    const both = spliced(whole, part);
    expect([...both.edges]).toEqual([0, 10, 15, 20, 30]);
    expect([...both.values]).toEqual([1, 7, 8, 3]);
  });
});

describe('the axis', () => {
  it('has round times of day', () => {
    const zero = Date.UTC(2025, 11, 16, 14, 2, 11) / 1000 + 0.25;
    const ticks = clockTicks(0, 60, 4, zero);
    expect(ticks.map((tick) => tick.label)).toEqual([
      '14:02:15',
      '14:02:30',
      '14:02:45',
      '14:03:00',
    ]);
    expect(ticks[0]?.value).toBeCloseTo(3.75, 6);
    expect(clockTicks(0, 7200, 4, zero).map((tick) => tick.label)).toEqual([
      '14:30',
      '15:00',
      '15:30',
      '16:00',
    ]);
    expect(clockTicks(0, 0.5, 5, zero)[0]?.label).toBe('14:02:11.3');
  });

  it('is walked sample by sample', () => {
    const samples = [0, 1, 2, 5];
    expect(nextSample(samples, 1, 1)).toBe(2);
    expect(nextSample(samples, 1.5, 1)).toBe(2);
    expect(nextSample(samples, 1.5, -1)).toBe(1);
    expect(nextSample(samples, 1, -1)).toBe(0);
    expect(nextSample(samples, 2, 10)).toBe(5);
    expect(nextSample([], 2, 1)).toBeUndefined();
  });
});

/** A table from columns of texts or numbers. */
function table(
  question: string,
  given: Record<string, string[] | number[]>,
  notes: Record<string, string | number> = {},
): Table {
  const strings: string[] = [];
  const rows = Object.values(given)[0]?.length ?? 0;
  const columns = Object.entries(given).map(([name, values]): Column => {
    const texts = values.filter((value) => typeof value === 'string');
    if (texts.length === 0) {
      const numbers = Float64Array.from(values, Number);
      return { name, type: 'number', unit: '', formula: '', width: 1, numbers };
    }
    const ids = Uint32Array.from(texts, (text) => strings.push(text) - 1);
    return { name, type: 'text', unit: '', formula: '', width: 1, texts: ids };
  });
  return new Table({ question, rows, columns, strings, notes });
}

describe('of some workers', () => {
  // ten chunks run in all; the worker that is chosen has one core and executes one task
  const timeline = table('timeline', {
    t: [0, 1],
    cores: [1, 1],
    executing_tasks: [1, 1],
    cpu_mean: [1, 1],
  });
  const swept = (notes: Record<string, number>) =>
    table(
      'throughput',
      {
        t0: [0, 1],
        t1: [1, 2],
        chunks_running: [10, 10],
        bytes_per_second: [1e6, 1e6],
        events_per_second: [1e3, 1e3],
      },
      notes,
    );
  const throughput = swept({ of_all_workers: 1 });
  const coresOf = (someWorkers: boolean) =>
    trackList(timeline, throughput, 2, { someWorkers })?.tracks.find(({ id }) => id === 'cores');

  it('the cores are filled with what these execute, not with the chunks of all', () => {
    expect(coresOf(false)?.at(0.5)).toEqual(['10.0', 'of 1.00']);
    expect(coresOf(true)?.at(0.5)).toEqual(['1.00', 'of 1.00']);
    expect(coresOf(true)?.unit).toBe('executing');
  });

  it('rates, which no worker is known of, say that they are of all', () => {
    const units = trackList(timeline, throughput, 2, { someWorkers: true })?.tracks.map(
      ({ unit }) => unit,
    );
    expect(units?.slice(1)).toEqual(['MB/s of all workers', 'kHz of all workers']);
  });

  it('chunks of which the worker is known are those of its cores', () => {
    const tracks = trackList(timeline, swept({}), 2, { someWorkers: true })?.tracks;
    expect(tracks?.map(({ unit }) => unit).slice(1)).toEqual([
      'MB/s in process()',
      'kHz in process()',
    ]);
    expect(tracks?.[0]?.at(0.5)).toEqual(['10.0', 'of 1.00']);
  });
});

it('of a run that recorded its cores alone, the cores are shown from end to end', () => {
  const none = table('timeline', { t: [], executing_tasks: [], cores: [], cpu_mean: [] });
  const parts = { begin: 2, end: 8, top: 4, layers: [], legend: [], estimated: true };
  const shown = trackList(none, table('throughput', { t0: [] }), Number.NaN, { parts });
  expect(shown?.extent).toEqual([2, 8]);
  expect(shown?.absent.map(({ id }) => id)).toEqual(['data-rate', 'event-rate']);
  expect(trackList(none, table('throughput', { t0: [] }), 6)).toBeUndefined();
});

describe('a worker is called', () => {
  const address = 'tcp://127.0.0.1:40839';
  const called = (names: string[], addresses: string[]) =>
    workerLabel(table('workers', { worker: addresses, name: names }), addresses[0] ?? '');

  it('by its name, a number as Dask gives it to local workers', () => {
    expect(called(['slurm-7'], [address])).toBe('slurm-7');
    expect(called(['3'], [address])).toBe('worker 3');
  });

  it('by its port where not all have a name', () => {
    expect(called(['3', ''], [address, 'tcp://127.0.0.1:40840'])).toBe('worker :40839');
    // the core calls it by its name
    const workers = table('workers', { worker: [address, 'tcp://h:1'], name: ['3', ''] });
    expect(workerLabel(workers, '3')).toBe('127.0.0.1:40839');
  });

  it('by its port where all are on one host, else by host and port', () => {
    expect(called([address, ''], [address, 'tcp://127.0.0.1:40840'])).toBe('worker :40839');
    expect(called([address, ''], [address, 'tls://node7:40839'])).toBe('127.0.0.1:40839');
  });
});

it('a worker was there from its first task on, and until its last, whatever its heartbeats say', () => {
  const worker = {
    worker: 'a',
    first_seen: 7,
    last_seen: 9,
    joined_late: 1,
    left_early: 1,
    lost: 0,
  };
  const workers = new Table<'workers'>({
    question: 'workers',
    rows: 0,
    columns: [],
    strings: [],
    notes: {},
  });
  const marks = marksOfRow(workers, worker as never, 0, { from: 6.4, until: 9.2 });
  expect(marks.map(({ moment, text }) => [moment, text])).toEqual([
    [6.4, 'joined 6.4 s'],
    [9.2, 'left at 9.0 s'],
  ]);
});

import { describe, expect, it } from 'vitest';
import { checksOf } from '../../web/domain/checks';
import { lostExecutions } from '../../web/domain/lostExecutions';
import { isShaded, phasesText, steadyText } from '../../web/domain/phases';
import { commonFolder } from '../../web/engine/commonFolder';
import { rowsOf, type Table } from '../../web/engine/table';
import { tableCsv, tableTabs } from '../../web/engine/tableCsv';
import {
  currentFinding,
  type Finding,
  faultsOf,
  filterToFinding,
  findingsOf,
  firstOfChunks,
  firstOfReading,
  firstOfWorkers,
  isFact,
  isMarked,
  leaveFinding,
  markedSelection,
  markOf,
  openFinding,
  openTab,
  ranked,
  showFinding,
  shownTime,
} from '../../web/state/finding';
import { activeRunId } from '../../web/state/runs';
import { listDimensions, select, selection } from '../../web/state/selection';
import { view } from '../../web/state/view';
import { rangeText, selectionText, timeText } from '../../web/views/common/selectionText';
import { answerableOf } from '../../web/views/notes/answerable';
import { barsOf } from '../../web/views/summary/ProofPanel';
import { type BarsProof, proofsOf } from '../../web/views/summary/proofs';
import { table } from '../support/madeTable';
import '../../web/views/views';

const findings = findingsOf(
  table('findings', {
    id: ['a', 'b', 'c'],
    severity: ['low', 'high', 'low'],
    title: ['A', 'B', 'C'],
    evidence: ['', '', ''],
    core_seconds: { unit: 's', values: [40, 20, 5] },
    gain_core_seconds: { unit: 's', values: [30, 20, Number.NaN] },
    gain_elapsed: { unit: 's', values: [3, 2, Number.NaN] },
    view: ['Timelines', 'Fine metrics', 'A view of a later version'],
    selection: ['{"time":[1,2]}', '{}', '{"datasets":["x"]}'],
  }),
);

describe('findings', () => {
  it('name their view by its title, and an unknown one leads to the Summary', () => {
    expect(findings.map((finding) => finding.view)).toEqual(['timelines', 'fine', 'summary']);
  });

  it('carry their selection', () => {
    expect(findings.map((finding) => finding.selection)).toEqual([
      { time: [1, 2] },
      {},
      { datasets: ['x'] },
    ]);
  });

  it('mark what they are about and filter nothing, until the user says so', () => {
    activeRunId.value = 1;
    select({ datasets: ['y'] });
    const [first] = findings;
    if (first) openFinding(first);
    expect(view.value).toBe('timelines');
    expect(selection.value).toEqual({ datasets: ['y'] });
    expect(markedSelection.value).toEqual({ datasets: ['y'], time: [1, 2] });
    expect(shownTime.value).toEqual([1, 2]);
    expect(filterToFinding()).toBe(true);
    expect(selection.value).toEqual({ datasets: ['y'], time: [1, 2] });
    expect(isMarked.value).toBe(false);
    expect(filterToFinding()).toBe(false);
  });

  it('leave the Summary when its tab is asked for, and stay with the other tabs', () => {
    activeRunId.value = 1;
    const [first] = findings;
    if (first) showFinding(first);
    openTab('timelines');
    expect([view.value, currentFinding.value?.finding]).toEqual(['timelines', first]);
    openTab('summary');
    expect([view.value, currentFinding.value]).toEqual(['summary', undefined]);
  });

  it('mark things of every kind, and leave the others beside them', () => {
    activeRunId.value = 1;
    const [first] = findings;
    for (const dimension of listDimensions) {
      if (first) showFinding({ ...first, selection: { [dimension]: ['x'] } });
      expect(markOf({ [dimension]: 'x' })).toBe('about');
      expect(markOf({ [dimension]: 'y' })).toBe('ghost');
      // what says nothing of the dimension is neither
      expect(markOf({})).toBe('');
    }
    leaveFinding();
    expect(markOf({ files: 'x' })).toBe('');
  });

  it('of another run mark nothing', () => {
    activeRunId.value = 1;
    const [first] = findings;
    if (first) openFinding(first);
    expect(isMarked.value).toBe(true);
    activeRunId.value = 2;
    expect(isMarked.value).toBe(false);
  });

  it('have keys by which links name them, also where a rule found several things', () => {
    const several = table('findings', {
      id: ['a', 'b', 'a'],
      severity: ['low', 'low', 'low'],
      view: ['Input', 'Data notes', 'Chunks'],
      selection: ['', '', ''],
    });
    const found = findingsOf(several as Table<'findings'>);
    expect(found.map(({ key }) => key)).toEqual(['a', 'b', 'a.2']);
    // the core names views as they were called
    expect(found.map((finding) => finding.view)).toEqual(['read', 'recording', 'compute']);
  });

  it('are ranked as the core does, with what is no fault behind', () => {
    const mixed = table('findings', {
      id: ['own-function', 'tail', 'slow-file'],
      severity: ['low', 'low', 'high'],
      view: ['Flame graph', 'Timelines', 'Chunks'],
      selection: ['', '', ''],
    });
    const found = findingsOf(mixed as Table<'findings'>);
    expect(ranked(found).map(({ id }) => id)).toEqual(['tail', 'slow-file', 'own-function']);
    expect(faultsOf(found).map(({ id }) => id)).toEqual(['tail', 'slow-file']);
    expect(found.map(isFact)).toEqual([true, false, false]);
  });
});

describe('what Data says of reading', () => {
  it('is the first finding that blames it, a host or a file, unless it is slight', () => {
    const found = findingsOf(
      table('findings', {
        id: ['own-function', 'stragglers', 'slow-host', 'unused-branches'],
        severity: ['low', 'low', 'medium', 'high'],
        view: ['Flame graph', 'Chunks', 'Chunks', 'Input'],
        selection: ['', '{"files":["a"]}', '{"hosts":["h"]}', ''],
      }) as Table<'findings'>,
    );
    expect(firstOfReading(found.slice(2))?.id).toBe('slow-host');
    expect(firstOfReading(found.slice(3))?.id).toBe('unused-branches');
    // a slight one leads where it is the headline of the Summary
    expect(firstOfReading(found)?.id).toBe('stragglers');
  });
});

it('no view denies the headline: each begins with the first finding that is about its subject', () => {
  const found = findingsOf(
    table('findings', {
      id: ['lost-work', 'stragglers', 'slow-host'],
      severity: ['low', 'low', 'medium'],
      view: ['Timelines', 'Flame graph', 'Input'],
      selection: ['', '{"files":["a"]}', '{"hosts":["h"]}'],
    }) as Table<'findings'>,
  );
  // slight, but the headline
  expect(firstOfWorkers(found)?.id).toBe('lost-work');
  expect(firstOfWorkers(found.slice(1))).toBeUndefined();
  // nobody says that no host stands out; the slight one before it is not the headline
  expect(firstOfChunks(found)?.id).toBe('slow-host');
  expect(firstOfChunks(found.slice(0, 2))).toBeUndefined();
});

describe('waiting of functions', () => {
  const proofs = proofsOf({ id: 'lock' } as Finding);
  const waiting = proofs.find(({ title }) => title.includes('waiting')) as BarsProof;
  const tree = (measured: number) =>
    table('core_time_tree', {
      kind: ['function', 'function', 'section'],
      label: ['select', 'fill', 'read'],
      core_seconds: { unit: 'core-s', values: [4, 2, 1] },
      waiting: { unit: 'core-s', values: [1, 2, 1] },
      split_measured: { unit: '', values: [measured, measured, measured] },
    });

  it('is drawn by function only where it was measured so', () => {
    expect(barsOf(tree(1), waiting).map(({ names }) => names)).toEqual([['fill'], ['select']]);
    expect(barsOf(tree(0), waiting)).toEqual([]);
    expect(proofs[0]).not.toBe(waiting);
  });
});

describe('checks', () => {
  const rules = table('rules', {
    id: ['slow-host', 'tail', 'lock', 'lock', 'clock-skew'],
    looks_at: ['slow hosts', 'the tail', 'locks in a profile', 'locks in tasks', 'clocks'],
    needs: ['the chunk list', 'the chunk list', 'a profile', 'fine metrics', 'nothing'],
    recorded: { unit: '', values: [1, 1, 0, 1, 1] },
  });

  it('have passed only where they had their data and found nothing', () => {
    const checks = checksOf(rules, [{ id: 'tail' }]);
    expect(checks.passed.map(({ id }) => id)).toEqual(['slow-host', 'lock', 'clock-skew']);
    expect(checks).toMatchObject({ missing: ['a profile'], notRun: 1, ran: 4, all: 5 });
  });
});

describe('what a recording can answer', () => {
  it('is told by the data of the checks that belong to a question', () => {
    const rules = table('rules', {
      id: ['tail', 'outside-process', 'start-up', 'own-function', 'waiting'],
      looks_at: ['', '', '', '', ''],
      needs: ['the chunk list', 'fine metrics', 'tracking', 'a profile', 'fine metrics'],
      recorded: { unit: '', values: [1, 1, 0, 0, 1] },
    });
    const answers = answerableOf(rules as Table<'rules'>, undefined);
    expect(answers).toHaveLength(10);
    const of = (start: string) => answers.find(({ asks }) => asks.startsWith(start));
    expect(of('Where did')).toMatchObject({
      answered: 'in part',
      restsOn: ['the chunk list', 'fine metrics'],
      missing: ['tracking'],
      view: 'summary',
    });
    expect(of('Was it computing')).toMatchObject({ answered: 'yes', missing: [] });
    expect(of('Which function')).toMatchObject({ answered: 'no', missing: ['a profile'] });
  });

  it('is never which branches are used: only what is read is recorded', () => {
    const branchesIn = (recorded: number) =>
      answerableOf(
        table('rules', {
          id: ['unused-branches'],
          needs: ['facts of the input files'],
          recorded: { unit: '', values: [recorded] },
        }) as Table<'rules'>,
        undefined,
      ).find(({ asks }) => asks.startsWith('Which branches'));
    const untold = 'which of the branches read the analysis uses';
    expect(branchesIn(1)).toMatchObject({ answered: 'in part', missing: [untold] });
    expect(branchesIn(0)).toMatchObject({
      answered: 'no',
      missing: ['facts of the input files', untold],
    });
  });

  it('is a cluster size only as far as What if tells', () => {
    const rules = table('rules', {
      id: ['large-chunks', 'slow-worker'],
      looks_at: ['', ''],
      needs: ['the chunk list', 'the chunk list'],
      recorded: { unit: '', values: [1, 1] },
    }) as Table<'rules'>;
    // as recorded, half the cores, twice the cores, another chunk size
    const whatIf = (vague: number[], elapsed: number[]) =>
      table('whatif', {
        cores: { unit: 'count', values: [4, 2, 8, 4] },
        elapsed: { unit: 's', values: [10, ...elapsed, Number.NaN] },
        vague: { unit: '', values: [0, ...vague, 1] },
      }) as Table<'whatif'>;
    const sizeIn = (answer: Table<'whatif'> | undefined) =>
      answerableOf(rules, answer).find(({ asks }) => asks.includes('cluster size'));
    const answered = (...of: Parameters<typeof whatIf>) => sizeIn(whatIf(...of));
    expect(answered([0, 0], [18, 6])).toMatchObject({ answered: 'yes', missing: [] });
    expect(answered([0, 1], [18, 6])).toMatchObject({
      answered: 'in part',
      missing: ['a run with 8 cores'],
      view: 'scaling',
    });
    expect(answered([1, 1], [18, Number.NaN])).toMatchObject({
      answered: 'no',
      missing: ['a run with 2 or 8 cores'],
    });
    expect(answered([1, 0], [Number.NaN, 6])).toMatchObject({ missing: ['a run with 2 cores'] });
    // no answer, and one whose cores are not known: no size was predicted
    expect(sizeIn(undefined)).toMatchObject({
      answered: 'no',
      missing: ['a run with another number of cores'],
    });
    const unknown = table('whatif', {
      cores: { unit: 'count', values: [Number.NaN, Number.NaN] },
      elapsed: { unit: 's', values: [10, 6] },
      vague: { unit: '', values: [0, 0] },
    }) as Table<'whatif'>;
    expect(sizeIn(unknown)).toMatchObject({ answered: 'no' });
  });
});

describe('a selection in words', () => {
  it('is short', () => {
    expect(timeText([0, 0.8125])).toBe('0.00–0.81\u2009s');
    expect(timeText([20, 60])).toBe('20.0–60.0\u2009s');
    expect(rangeText({ column: 'outlier', lo: 1, hi: 1 })).toBe('outliers');
    expect(rangeText({ column: 'duration', lo: 0, hi: 0.3 })).toBe(
      '0\u2009s–300\u2009ms in process()',
    );
    expect(selectionText({ datasets: ['ttbar'], workers: ['a', 'b'] })).toBe('ttbar, 2 workers');
    expect(selectionText({})).toBe('');
  });
});

describe('phases in words', () => {
  const names = ['pre-processing', 'ramp', 'steady', 'drain'];
  const answer = (phase: string[], seconds: number[], share: number[]) =>
    rowsOf(
      table('phases', {
        phase,
        seconds: { unit: 's', values: seconds },
        share: { unit: '1', values: share },
      }),
    );
  const all = answer(names, [2, 1, 50, 1], [0.037, 0.019, 0.926, 0.019]);
  const long = answer(names, [2, 1, 500, 1], [0.004, 0.002, 0.992, 0.002]);
  const some = answer(['steady'], [3.5], [1]);
  const first = answer(['pre-processing'], [1], [1]);

  it('leave out a pre-processing that is hardly there', () => {
    expect(phasesText(all, false)).toMatch(
      /^pre-processing 2.00\u2009s · ramp 1.00\u2009s · steady 50.0\u2009s · drain 1.00\u2009s/,
    );
    expect(phasesText(long, false)).toMatch(/^ramp/);
    expect(phasesText([], false)).toBe('');
    // of a selection, what lies in it
    expect(phasesText(some, true)).toBe('selected: steady 3.50\u2009s');
  });

  it('are as few as a title has room for', () => {
    expect(steadyText(all, false)).toBe('steady 50.0\u2009s');
    expect(steadyText(some, true)).toBe('selected: steady 3.50\u2009s');
    // without a steady part, all there is
    expect(steadyText(first, true)).toBe('selected: pre-processing 1.00\u2009s (shaded)');
  });

  it('shade all but the steady one', () => {
    expect(all.map(isShaded)).toEqual([true, true, false, true]);
  });
});

describe('a table as CSV', () => {
  it('has units in its header, numbers in full, and quotes what needs it', () => {
    const made = table('files', {
      name: ['a,b', 'say "x"', null],
      seconds: { unit: 's', values: [0.1, Number.NaN, 3] },
    });
    expect(tableCsv(made)).toBe('name,seconds [s]\r\n"a,b",0.1\r\n"say ""x""",\r\n,3\r\n');
    expect(tableTabs(made)).toBe('name\tseconds [s]\na,b\t0.1\nsay "x"\t\n\t3\n');
  });
});

describe('the folder that paths share', () => {
  it('ends with its slash, or is nothing', () => {
    expect(commonFolder(['/data/x/a.root', '/data/x/b.root'])).toBe('/data/x/');
    expect(commonFolder(['/data/x/a.root', '/data/xy/b.root'])).toBe('/data/');
    expect(commonFolder(['/a', 'b'])).toBe('');
    expect(commonFolder(['root://one//f', 'root://two//f'])).toBe('root://');
    expect(commonFolder(['a', 'b'])).toBe('');
    expect(commonFolder([])).toBe('');
  });
});

describe('executions whose result was lost', () => {
  it('stand on their workers, with the same work again; tasks close to each other are one', () => {
    const tasks = table('tasks', {
      key: ['x', 'y', 'z', 'x', 'u', 'x'],
      worker: ['a', 'a', 'c', 'b', 'b', 'b'],
      action: ['compute', 'compute', 'compute', 'compute', 'compute', 'transfer'],
      t0: { unit: 's', values: [0, 1, 0, 5, 2, 4] },
      t1: { unit: 's', values: [1, 2, 9, 6, 5, 5] },
      lost: { unit: '', values: [1, 0, 0, 0, 0, 0] },
    }) as Table<'tasks'>;
    expect(lostExecutions(tasks, 0.5)).toEqual([
      {
        worker: 'a',
        lost: 1,
        again: 0,
        stretches: [
          { from: 0, to: 1, kind: 'lost' },
          { from: 1, to: 2, kind: 'rest' },
        ],
      },
      {
        worker: 'b',
        lost: 0,
        again: 1,
        stretches: [
          { from: 2, to: 5, kind: 'rest' },
          { from: 5, to: 6, kind: 'again' },
        ],
      },
    ]);
  });
});

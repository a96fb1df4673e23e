import { rowsOf, type Table } from '../../engine/table';
import { count, listed } from '../../plot/format';
import type { ViewId } from '../../state/view';
import { isKnown } from '../common/WhatIfRows';

/** What people ask of a run, and the checks that use the same parts of a recording. */
interface QuestionSpec {
  asks: string;
  rules: readonly string[];
  view: ViewId;
  /** what no recording tells, so that none answers all of it */
  untold?: string;
}

const clusterSize = 'Would another cluster size be faster?';

const questions: readonly QuestionSpec[] = [
  {
    asks: 'Where did the core time go?',
    rules: ['tail', 'outside-process', 'start-up'],
    view: 'summary',
  },
  {
    asks: 'Which dataset, file or section is slow?',
    rules: ['slow-file', 'slow-cell'],
    view: 'compute',
  },
  { asks: 'Was it computing or waiting?', rules: ['waiting'], view: 'fine' },
  {
    asks: 'Which function takes the time?',
    rules: ['own-function'],
    view: 'flame',
  },
  {
    asks: 'Which worker is slow, and was work repeated?',
    rules: ['late-workers', 'lost-work', 'slow-worker'],
    view: 'timelines',
  },
  {
    asks: 'Is storage the limit?',
    rules: ['slow-host', 'bandwidth-limited'],
    view: 'read',
  },
  {
    asks: 'Which branches are read but not used?',
    rules: ['unused-branches'],
    view: 'read',
    untold: 'which of the branches read the analysis uses',
  },
  {
    asks: clusterSize,
    rules: ['large-chunks', 'slow-worker'],
    view: 'scaling',
  },
  {
    asks: 'What changed since another run?',
    rules: ['slow-dataset', 'own-function'],
    view: 'compare',
  },
  {
    asks: 'Were workers paused, blocked or short of memory?',
    rules: ['memory-near-limit', 'unresponsive'],
    view: 'timelines',
  },
];

export interface Answerable extends Omit<QuestionSpec, 'rules' | 'untold'> {
  answered: 'yes' | 'in part' | 'no';
  /** parts of the recording that it rests on, and those that are missing */
  restsOn: readonly string[];
  missing: readonly string[];
}

/** Of `whatif`: whether any size is told, and what would settle those that are not. */
function sizesOf(whatIf: Table<'whatif'> | undefined): { isTold: boolean; missing: string[] } {
  const [now, ...scenarios] = rowsOf(whatIf);
  const sizes = scenarios.filter(({ cores }) => Number.isFinite(cores) && cores !== now?.cores);
  const open = [...new Set(sizes.filter((size) => !isKnown(size)).map(({ cores }) => cores))];
  const isTold = sizes.some(isKnown);
  if (isTold && open.length === 0) return { isTold, missing: [] };
  if (open.length === 0) return { isTold, missing: ['a run with another number of cores'] };
  const texts = open.map(count);
  const some = listed([texts.slice(0, -1).join(', '), texts.at(-1)], ' or ');
  return { isTold, missing: [`a run with ${some} ${some === '1' ? 'core' : 'cores'}`] };
}

/** Which of the questions a recording answers; of cluster sizes, as far as What if (`whatif`) tells. */
export function answerableOf(
  table: Table<'rules'>,
  whatIf: Table<'whatif'> | undefined,
): Answerable[] {
  const all = rowsOf(table);
  const sizes = sizesOf(whatIf);
  return questions.map(({ rules, untold, ...question }) => {
    const used = all.filter(({ id }) => rules.includes(id));
    const parts = (recorded: number) => [
      ...new Set(used.filter((rule) => rule.recorded === recorded).map(({ needs }) => needs)),
    ];
    const restsOn = parts(1);
    const isOfSizes = question.asks === clusterSize;
    const missing = [...parts(0), ...(isOfSizes ? sizes.missing : []), ...(untold ? [untold] : [])];
    const isNone = restsOn.length === 0 || (isOfSizes && !sizes.isTold);
    const answered = missing.length === 0 ? 'yes' : isNone ? 'no' : 'in part';
    return { ...question, answered, restsOn, missing };
  });
}

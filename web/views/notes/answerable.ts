import { rowsOf, type Table } from '../../engine/table';
import type { ViewId } from '../../state/view';
import { isKnown } from '../common/WhatIfRows';

/** What people ask of a run, and the checks that use the same parts of a recording. */
interface QuestionSpec {
  asks: string;
  rules: readonly string[];
  view: ViewId;
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
  },
  {
    asks: clusterSize,
    rules: ['large-chunks', 'slow-worker'],
    view: 'summary',
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

export interface Answerable extends Omit<QuestionSpec, 'rules'> {
  answered: 'yes' | 'in part' | 'no';
  /** parts of the recording that it rests on, and those that are missing */
  restsOn: readonly string[];
  missing: readonly string[];
}

/** What would settle what a replay of this run leaves open. */
const anotherSize = 'a run with another number of cores';

/** Which of the questions a recording answers; of cluster sizes, as far as What if (`whatif`) tells. */
export function answerableOf(
  table: Table<'rules'>,
  whatIf: Table<'whatif'> | undefined,
): Answerable[] {
  const all = rowsOf(table);
  const [now, ...scenarios] = rowsOf(whatIf);
  const sizes = scenarios.filter(({ cores }) => Number.isFinite(cores) && cores !== now?.cores);
  const told = sizes.filter(isKnown);
  const isTold = told.length > 0;
  return questions.map(({ rules, ...question }) => {
    const used = all.filter(({ id }) => rules.includes(id));
    const parts = (recorded: number) => [
      ...new Set(used.filter((rule) => rule.recorded === recorded).map(({ needs }) => needs)),
    ];
    const restsOn = parts(1);
    const isOpen = question.asks === clusterSize && !(isTold && told.length === sizes.length);
    const missing = isOpen ? [...parts(0), anotherSize] : parts(0);
    const isNone = restsOn.length === 0 || (isOpen && !isTold);
    const answered = missing.length === 0 ? 'yes' : isNone ? 'no' : 'in part';
    return { ...question, answered, restsOn, missing };
  });
}

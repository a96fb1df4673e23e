import { rowsOf, type Table } from '../../engine/table';
import type { ViewId } from '../../state/view';

/** What people ask of a run, and the checks that use the same parts of a recording. */
interface QuestionSpec {
  asks: string;
  rules: readonly string[];
  view: ViewId;
}

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
    asks: 'Which branches are read in vain?',
    rules: ['unused-branches'],
    view: 'read',
  },
  {
    asks: 'Would another cluster size be faster?',
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

/** Which of the questions a recording answers. */
export function answerableOf(table: Table<'rules'>): Answerable[] {
  const all = rowsOf(table);
  return questions.map(({ rules, ...question }) => {
    const used = all.filter(({ id }) => rules.includes(id));
    const parts = (recorded: number) => [
      ...new Set(used.filter((rule) => rule.recorded === recorded).map(({ needs }) => needs)),
    ];
    const restsOn = parts(1);
    const missing = parts(0);
    const answered = missing.length === 0 ? 'yes' : restsOn.length === 0 ? 'no' : 'in part';
    return { ...question, answered, restsOn, missing };
  });
}

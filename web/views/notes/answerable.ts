import { rowsOf, type Table } from '../../engine/table';
import type { ViewId } from '../../state/view';

/** What people ask of a run, and the checks that use the same parts of a recording. */
interface QuestionSpec {
  asks: string;
  rules: readonly string[];
  view: ViewId;
  /** what records the rest */
  line: string;
}

const record = 'with crema.record(client, "runs/name") as recording:';
const track = 'MetricsCollector(client, processor_instance=processor, track_workers=True)';

const questions: readonly QuestionSpec[] = [
  {
    asks: 'Where did the core time go?',
    rules: ['tail', 'outside-process', 'start-up'],
    view: 'summary',
    line: track,
  },
  {
    asks: 'Which dataset, file or section is slow?',
    rules: ['slow-file', 'slow-cell'],
    view: 'compute',
    line: 'with crema.section("name"):  # in process()',
  },
  { asks: 'Was it computing or waiting?', rules: ['waiting'], view: 'fine', line: record },
  {
    asks: 'Which function takes the time?',
    rules: ['own-function'],
    view: 'flame',
    line: record,
  },
  {
    asks: 'Which worker is slow, and was work repeated?',
    rules: ['late-workers', 'lost-work', 'slow-worker'],
    view: 'timelines',
    line: record,
  },
  {
    asks: 'Is storage the limit?',
    rules: ['slow-host', 'bandwidth-limited'],
    view: 'read',
    line: record,
  },
  {
    asks: 'Which branches are read in vain?',
    rules: ['unused-branches'],
    view: 'read',
    line: '@track_metrics\ndef process(self, events): ...',
  },
  {
    asks: 'Would another cluster size be faster?',
    rules: ['large-chunks', 'slow-worker'],
    view: 'summary',
    line: record,
  },
  {
    asks: 'What changed since another run?',
    rules: ['slow-dataset', 'own-function'],
    view: 'compare',
    line: record,
  },
  {
    asks: 'Were workers paused, blocked or short of memory?',
    rules: ['memory-near-limit', 'unresponsive'],
    view: 'timelines',
    line: record,
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

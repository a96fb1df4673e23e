import type { Table } from '../../engine/table';
import { fixed } from '../../plot/format';

/** What the rules look at, in the order of a run's life. */
const looksAt = [
  'start-up and pre-processing, idle cores, the tail',
  'time outside process(), waiting, (de)serialisation, compression, merging',
  'workers that were lost, restarted, silent, unbalanced, short of memory, and work done twice',
  'slow datasets and hosts, stragglers, chunks that are too small or too large, lost chunks',
  'sections that dominate, branches read without need, numbers that were not recorded',
];

/** No finding is an answer too, and so are one or two: what was looked at. */
export function RulesChecked({ table }: { table: Table }) {
  const rules = table.notes.rules_checked;
  const checked =
    typeof rules === 'number' ? `${fixed(rules, 0)} rules were checked` : 'All rules were checked';
  return (
    <div class="rules-checked" data-testid="rules-checked">
      <p>
        <span class="good-mark" aria-hidden="true">
          ✓
        </span>{' '}
        {checked}, and {table.rows > 0 ? 'no other' : 'none'} found anything worth a change. They
        look at
      </p>
      <ul>
        {looksAt.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p class="muted">
        A rule is silent where the bundle does not hold what it needs; Data notes say what is
        missing.
      </p>
    </div>
  );
}

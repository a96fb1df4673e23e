import { useAnswer } from '../../state/answers';
import { flame, setTree } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { optionsOf, Select } from '../common/Select';

/** Only the samples of one section of process(), where samples say in which they were taken. */
export function SectionSelect() {
  const run = activeRunId.value;
  const { table } = useAnswer(run, 'sections');
  const names = Array.from(
    { length: table?.rows ?? 0 },
    (_, row) => table?.text('name', row) ?? '',
  );
  const [first = ''] = names;
  // the core refuses where no sample knows its section
  const asked = useAnswer(
    first ? run : undefined,
    'flame',
    {},
    { section: first, min_fraction: 1 },
  );
  const { section } = flame.value;
  if (!asked.table && !section) return null;
  return (
    <Select
      named
      label="Section"
      options={optionsOf(names, 'all')}
      value={section}
      onChange={(chosen) => setTree({ section: chosen, selected: '' })}
      testId="flame-section"
    />
  );
}

import { Legend } from '../../plot/Legend';

/** Which line is which run. */
export function SideLegend() {
  return (
    <Legend
      entries={[
        { id: 'a', label: 'A', colour: '--text-2' },
        { id: 'b', label: 'B', colour: '--accent' },
      ]}
    />
  );
}

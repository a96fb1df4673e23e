import { columnUnit } from '../../plot/format';
import { map } from '../../plot/numbers';
import { heldSamples } from '../../plot/steps';
import { MiniTrack } from '../../plot/Track';
import type { CssPixels } from '../../plot/useSize';
import { useAnswer } from '../../state/useAnswer';
import { useMadeOf } from '../../ui/madeOf';
import { Panel } from '../common/Panel';
import { Missing } from './Missing';
import type { MomentsProof } from './proofs';

interface MomentsPanelProps {
  proof: MomentsProof;
  height: CssPixels;
}

/** A number of the machines, or of what ran on them, over the time of the run. */
export function MomentsPanel({ proof, height }: MomentsPanelProps) {
  const answer = useAnswer('machines');
  const { table } = answer;
  const shown = useMadeOf(table, proof.column, () => {
    const times = table?.numbers('t') ?? [];
    const values = table?.numbers(proof.column) ?? [];
    if (!table || !values.some(Number.isFinite)) return undefined;
    const end = Number(table.notes.window_end);
    const { divisor, unit } = columnUnit(values, table.column(proof.column).unit);
    const steps = heldSamples(
      times,
      map(values, (value) => value / divisor),
      end,
    );
    const colour = '--accent';
    return { end, unit, layers: [{ kind: 'area' as const, steps, colour }] };
  });
  return (
    <Panel title={proof.title} answers={[answer]} data={table} testId="proof">
      {shown ? (
        <MiniTrack
          caption={`${proof.caption} (${shown.unit})`}
          over={[0, shown.end]}
          unit="s"
          layers={shown.layers}
          height={height}
          label={proof.title}
        />
      ) : (
        <Missing table={table} />
      )}
    </Panel>
  );
}

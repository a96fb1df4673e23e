import { CurvePlot } from '../../plot/CurvePlot';
import { significant } from '../../plot/format';
import { largest } from '../../plot/numbers';
import type { Answer } from '../../state/answers';
import { useIsExpanded } from '../../ui/useExpanded';
import { Panel } from '../common/Panel';
import { PointTooltip } from './PointTooltip';
import { isPlaced, type Study } from './study';

/** What a core is worth in each run. */
export function PerCorePanel({ answer, study }: { answer: Answer; study: Study | undefined }) {
  const placed = study?.rows.filter(isPlaced) ?? [];
  return (
    <Panel title="Rate per core" subtitle="dashed: smallest run" answer={answer} name="per-core">
      {study && placed.length > 0 ? (
        <Plot study={study} />
      ) : (
        <p class="missing overlay-missing">{'\u00a0'}</p>
      )}
    </Panel>
  );
}

function Plot({ study }: { study: Study }) {
  const expanded = useIsExpanded();
  const placed = study.rows.filter(isPlaced);
  const xEnd = 1.1 * largest(placed.map((row) => row.cores));
  const first = placed.find((row) => !row.differs)?.rate_per_core ?? Number.NaN;
  // The line is of runs of the same work.
  const alike = placed.filter((row) => !row.differs);
  return (
    <CurvePlot
      xEnd={xEnd}
      yEnd={largest(placed.map((row) => row.rate_per_core))}
      points={placed.map((row) => ({
        id: String(row.number),
        x: row.cores,
        y: row.rate_per_core,
        label: placed.length > 8 ? String(row.place) : significant(row.rate_per_core),
        aside: Boolean(row.differs),
        tooltip: () => <PointTooltip row={row} unit={study.unit} />,
      }))}
      curves={[
        { id: 'first', x: [0, xEnd], y: [first, first], colour: '--text-3', dash: '5 4' },
        {
          id: 'runs',
          x: alike.map((row) => row.cores),
          y: alike.map((row) => row.rate_per_core),
          colour: '--ph-process',
        },
      ]}
      xTitle="cores (time average)"
      yTitle={`${study.unit} per core`}
      height={expanded ? window.innerHeight - 200 : 150}
      label={`Rate per core of ${placed.length} runs, from ${significant(first)} ${study.unit}`}
      testId="per-core-plot"
    />
  );
}

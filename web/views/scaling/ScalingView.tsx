import '../../styles/runs.css';
import '../../styles/scaling.css';
import { fullSentence } from '../../domain/sentenceCase';
import { CurvePlot } from '../../plot/CurvePlot';
import { listed, significant } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { target } from '../../state/pair';
import { openRuns } from '../../state/runs';
import { selection } from '../../state/selection';
import { type Answer, useAnswerOf } from '../../state/useAnswer';
import { Grid } from '../../ui/sight';
import { useIsExpanded } from '../../ui/useExpanded';
import { AnswerTable, type NumberColumn, numberColumns, textColumn } from '../common/columns';
import { noteText, Panel } from '../common/Panel';
import { ViewVerdict } from '../common/ViewVerdict';
import { PointTooltip } from './PointTooltip';
import { RatePanel } from './RatePanel';
import { RunsPanel } from './RunsPanel';
import { coresText, isPlaced, type Study, studyOf } from './study';
import { WhatIfPanel } from './WhatIfPanel';

const fewest = 3;

/** Do more cores help? All open runs side by side; of one, what else it could have been. */
export function ScalingView() {
  const runs = openRuns.value.map((run) => run.id);
  const enough = runs.length >= fewest;
  const answer = useAnswerOf(
    enough ? runs : [],
    'scaling',
    selection.value,
    target.value === undefined ? {} : { target: target.value },
  );
  const study = answer.table && studyOf(answer.table);
  const sizes = new Set(study?.rows.filter(isPlaced).map((row) => coresText(row.cores)));
  const sentence =
    sizes.size === 1
      ? `All runs have ${[...sizes][0]} cores: scaling needs different numbers`
      : noteText(answer, 'sentence');
  return (
    <div class="stack" data-testid="view-scaling">
      {enough ? (
        <>
          <ViewVerdict
            text={sentence && fullSentence(sentence)}
            limits={noteText(answer, 'limits')}
            testId="scaling-verdict"
          />
          <Grid even>
            <div class="span-8 compare-half">
              <RatePanel answer={answer} study={study} />
            </div>
            <div class="span-4 compare-half stack">
              <PerCorePanel answer={answer} study={study} />
            </div>
          </Grid>
          <EfficiencyPanel />
          <RunsPanel answer={answer} study={study} />
        </>
      ) : (
        <ViewVerdict
          testId="scaling-invitation"
          text="Open more runs of the same work to compare them."
          limits="Drop two runs to compare them. Three show a history or, on different numbers of cores, how the analysis scales."
        />
      )}
      <WhatIfPanel />
    </div>
  );
}

/** All of a product are needed, so that their heads take two lines where one has no room. */
const breaks = { className: 'head-breaks' };

const factors: readonly NumberColumn<'efficiency'>[] = [
  ['cores', 'Cores, average', 1, breaks],
  ['useful', 'Useful (%)', 100, breaks],
  ['load_balance', '= load balance (%)', 100, breaks],
  ['start_and_end', '× start and end (%)', 100, breaks],
  ['scheduling', '× scheduling (%)', 100, breaks],
  ['outside', '× outside (%)', 100, breaks],
  ['lost', '× not repeated (%)', 100, breaks],
  ['on_cpu', '× on a CPU (%)', 100, breaks],
];

/** The useful share of each run's core-time as a product: which factor falls as cores grow. */
function EfficiencyPanel() {
  const answer = useAnswerOf(
    openRuns.value.map((run) => run.id),
    'efficiency',
  );
  const { table } = answer;
  const name = textColumn('run', 'Run', (row) => table?.text('run', row) ?? '', {
    cell: (row) => {
      const differs = table?.text('differs', row);
      return (
        <span class={differs ? 'muted' : ''} title={differs}>
          {table?.text('run', row)}
        </span>
      );
    },
  });
  return (
    <Panel
      title="Efficiency as a product of factors"
      subtitle={listed([
        noteText(answer, 'sentence') ||
          'core-time on a CPU in process(), as a share of the available',
        noteText(answer, 'selection'),
      ])}
      answer={answer}
      testId="efficiency"
    >
      {table && table.rows > 0 ? (
        <AnswerTable
          table={table}
          columns={[name, ...numberColumns(table, factors)]}
          label="Efficiency of each run"
          sortedBy="cores"
          maxHeight={420}
          testId="efficiency-table"
        />
      ) : null}
    </Panel>
  );
}

/** What a core is worth in each run. */
function PerCorePanel({ answer, study }: { answer: Answer; study: Study | undefined }) {
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

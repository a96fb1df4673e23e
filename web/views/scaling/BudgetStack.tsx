import { budgetRows, mergedTasks, phaseSegment } from '../../domain/budget';
import { BarAxis } from '../../plot/BarAxis';
import { coreTimeScale } from '../../plot/format';
import { StackedBar } from '../../plot/StackedBar';
import { useSize } from '../../plot/useSize';
import { type Answer, useAnswersOfEach } from '../../state/answers';
import { selection } from '../../state/selection';
import { joinedTables } from '../common/joinedTables';
import { Panel } from '../common/Panel';
import { coresText, type Study, type StudyRow } from './study';

const barHeight = 18;
const rowHeight = 22;
const left = 92;

/** The core-time of each run as shares, smallest run first: where the new inefficiency goes. */
export function BudgetStack({ study }: { study: Study | undefined }) {
  const rows = study?.rows ?? [];
  const answers = useAnswersOfEach(
    rows.map((row) => row.number),
    'budget',
    selection.value,
  );
  return (
    <Panel
      title="Where the core-time went"
      subtitle="% of available, by run"
      answers={answers}
      data={joinedTables(
        rows.map((row, index) => ({ run: row.run, table: answers[index]?.table })),
      )}
      name="budget-by-run"
      testId="budget-by-run"
      className="stretch"
    >
      <Bars rows={rows} answers={answers} />
    </Panel>
  );
}

function Bars({ rows, answers }: { rows: readonly StudyRow[]; answers: readonly Answer[] }) {
  const [ref, width] = useSize<HTMLDivElement>();
  const plot = Math.max(1, width - left - 12);
  const height = rows.length * rowHeight + 18;
  return (
    <div
      ref={ref}
      class="budget-stack"
      role="img"
      aria-label={`Core-time of ${rows.length} runs as shares`}
    >
      {width > 0 ? (
        <svg width={width} height={height} aria-hidden="true">
          {rows.map((row, index) => (
            <g key={row.number} transform={`translate(0 ${index * rowHeight})`}>
              <text x={left - 8} y={barHeight / 2 + 4} text-anchor="end">
                {row.place} ·{' '}
                {Number.isFinite(row.cores)
                  ? `${coresText(row.cores)} ${row.cores === 1 ? 'core' : 'cores'}`
                  : '–'}
              </text>
              <g transform={`translate(${left} 0)`}>
                <Bar id={row.number} answer={answers[index]} plot={plot} />
              </g>
            </g>
          ))}
          <g transform={`translate(${left} 0)`}>
            <BarAxis
              most={100}
              width={plot}
              y={rows.length * rowHeight - 3}
              end=""
              pixelsPerTick={plot / 4}
              unit=" %"
            />
          </g>
        </svg>
      ) : null}
    </div>
  );
}

function Bar({ id, answer, plot }: { id: number; answer: Answer | undefined; plot: number }) {
  if (!answer?.table) return null;
  const rows = budgetRows(answer.table);
  const { whole } = rows;
  if (!(whole > 0) || rows.phases.length === 0) {
    return (
      <text class="faint" x={0} y={barHeight / 2 + 4}>
        not recorded
      </text>
    );
  }
  const { parts } = mergedTasks(rows);
  return (
    <StackedBar
      id={`stack-${id}`}
      segments={parts.map((part) => ({
        ...phaseSegment(part, coreTimeScale(whole)),
        label:
          part.part === 'inside_process'
            ? 'process()'
            : part.part === 'outside_process'
              ? 'outside'
              : part.label,
        valueText: undefined,
        tooltip: () => (
          <>
            <b>{part.label}</b>
            <div>{phaseSegment(part, coreTimeScale(whole)).valueText}</div>
            <div class="muted">{phaseSegment(part, coreTimeScale(whole)).shareText}</div>
          </>
        ),
      }))}
      // more than was available is shown past the end elsewhere; here shares are compared
      pixelsPerUnit={plot / whole}
      y={0}
      height={barHeight}
      lines="one"
    />
  );
}

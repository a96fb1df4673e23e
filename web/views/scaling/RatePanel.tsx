import { noteNumber } from '../../engine/table';
import { CurvePlot } from '../../plot/CurvePlot';
import { percent, significant, withUnit } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { target } from '../../state/pair';
import { openRuns } from '../../state/runs';
import { selection } from '../../state/selection';
import { type Answer, useAnswerOf } from '../../state/useAnswer';
import { useIsExpanded } from '../../ui/useExpanded';
import { noteText, Panel } from '../common/Panel';
import { PointTooltip } from './PointTooltip';
import { coresText, isPlaced, type Study, type StudyRow } from './study';

/** Do more cores help? The rate against cores, with what ideal scaling would give and what the runs let expect. */
export function RatePanel({ answer, study }: { answer: Answer; study: Study | undefined }) {
  const placed = study?.rows.filter(isPlaced) ?? [];
  const sizes = new Set(placed.map((row) => coresText(row.cores))).size;
  const curve = useAnswerOf(
    openRuns.value.map((run) => run.id),
    sizes > 1 ? 'scaling_curve' : '',
    selection.value,
    { to: largest(placed.map((row) => row.cores)) },
  );
  const unit = study?.unit ?? 'kHz';
  return (
    <Panel
      title={`${unit === 'Gbps' ? 'Data' : 'Event'} rate and cores`}
      subtitle="dots: measured; band: expected from these runs; cores averaged over time"
      answers={[answer, curve]}
      data={curve.table?.rows ? curve.table : answer.table}
      name="scaling"
      testId="scaling-rate"
      className="stretch"
      actions={
        <label class="target-field">
          Target ({unit})
          <input
            type="text"
            inputMode="decimal"
            size={6}
            data-testid="scaling-target"
            value={target.value ?? ''}
            onChange={(event) => {
              const wanted = Number(event.currentTarget.value);
              target.value = wanted > 0 && Number.isFinite(wanted) ? wanted : undefined;
            }}
          />
        </label>
      }
    >
      {study && placed.length > 0 ? (
        <>
          <Rates answer={answer} study={study} curve={curve} />
          <Reading answer={answer} />
        </>
      ) : (
        <p class="missing overlay-missing">
          {study ? 'No run has both a rate and a number of cores.' : '\u00a0'}
        </p>
      )}
      {noteText(answer, 'selection') ? <p class="muted">{noteText(answer, 'selection')}</p> : null}
    </Panel>
  );
}

/** Beyond the largest run nothing is measured, and nothing drawn but that. */
const beyond = 1.07;

function Rates({ answer, study, curve }: { answer: Answer; study: Study; curve: Answer }) {
  const expanded = useIsExpanded();
  const placed = study.rows.filter(isPlaced);
  const most = largest(placed.map((row) => row.cores));
  const wanted = target.value;
  const table = curve.table?.rows ? curve.table : undefined;
  const hasBand = table !== undefined && largest(table.numbers('high')) > 0;
  const knee = noteNumber(answer.table, 'knee');
  const reached = noteNumber(answer.table, 'target_cores');
  const xEnd = (hasBand ? 1.35 : 1.15) * most;
  const numbers = (name: string) => table?.numbers(name) ?? [];
  const yEnd = Math.max(
    largest(placed.map((row) => row.rate)),
    wanted ?? 0,
    // the ideal of the largest run shows what is missing
    1.05 * largest(placed.map((row) => row.ideal)),
  );
  return (
    <CurvePlot
      xEnd={xEnd}
      yEnd={yEnd}
      points={placed.map((row) => ({
        id: String(row.number),
        x: row.cores,
        y: row.rate,
        label: labelOf(row, placed.length),
        brief: row.differs ? String(row.place) : significant(row.rate),
        aside: Boolean(row.differs),
        tooltip: () => <PointTooltip row={row} unit={study.unit} />,
      }))}
      curves={[
        {
          id: 'ideal',
          x: numbers('cores'),
          y: numbers('ideal'),
          colour: '--text-3',
          dash: '5 4',
          label: 'ideal',
        },
        ...(hasBand
          ? [{ id: 'likely', x: numbers('cores'), y: numbers('likely'), colour: '--accent' }]
          : []),
      ]}
      band={
        hasBand
          ? {
              x: numbers('cores'),
              low: numbers('low'),
              high: numbers('high'),
              colour: '--accent',
            }
          : undefined
      }
      unknown={
        hasBand
          ? {
              from: beyond * most,
              label: `cannot tell beyond ${coresText(most)} cores`,
            }
          : undefined
      }
      mark={
        Number.isFinite(knee)
          ? { x: knee, label: kneeText(answer), brief: 'little gain' }
          : undefined
      }
      target={
        wanted === undefined
          ? undefined
          : {
              y: wanted,
              label: `target ${withUnit(significant(wanted), study.unit)}`,
              x: reached <= xEnd ? reached : Number.NaN,
              xLabel: `${significant(reached)} cores expected`,
            }
      }
      xTitle="cores (time average)"
      yTitle={study.unit}
      height={expanded ? window.innerHeight - 230 : 300}
      label={`Rate of ${placed.length} runs on up to ${significant(most)} cores, up to ${significant(noteNumber(answer.table, 'best_rate'))} ${study.unit}`}
      testId="scaling-plot"
    />
  );
}

/** Few runs have room for what they gave; runs of other work are called by name. */
function labelOf(row: StudyRow, runs: number): string {
  if (runs > 8) return String(row.place);
  return row.differs
    ? row.run
    : `${significant(row.rate)} · ${percent(row.efficiency_vs_ideal)} of ideal`;
}

function kneeText({ table }: Answer): string {
  const of = (name: string) => significant(noteNumber(table, name));
  return `little gain beyond ≈ ${of('knee')} [${of('knee_low')}–${of('knee_high')}]`;
}

/** What is left to the target. */
function Reading({ answer: { table } }: { answer: Answer }) {
  const wanted = target.value;
  const reached = noteNumber(table, 'target_cores');
  const factor = noteNumber(table, 'target_factor');
  return (
    <ul class="scaling-reading row small secondary" data-testid="scaling-reading">
      {factor > 0 ? (
        <li>
          <b>× {significant(factor)}</b> from the best run to the target
        </li>
      ) : null}
      {wanted !== undefined ? (
        <li>
          {Number.isFinite(reached)
            ? `target: ${significant(reached)} cores expected`
            : 'target: not reached, as far as these runs show'}
        </li>
      ) : null}
    </ul>
  );
}

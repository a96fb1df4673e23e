import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { partLabel } from '../../domain/coreTime';
import { isDecided } from '../../domain/prediction';
import { type Row, rowsOf } from '../../engine/table';
import { count, duration, durationRange } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { useAnswer, useAnswerOf } from '../../state/answers';
import { coreTimePart, useCoreTimeSplit } from '../../state/coreTime';
import { activeRun, openRuns } from '../../state/runs';
import { Button } from '../../ui/Button';
import { noteText, Panel } from '../common/Panel';

/** Steps of what can be otherwise, as factors of what was recorded; where each begins. */
const factors = { part: [0.1, 0.25, 0.5, 0.8], more: [0.25, 0.5, 1, 2, 4, 8, 16] } as const;
const chosen = { part: signal(2), cores: signal(3), chunks: signal(3) };

/** An elapsed time that was not measured [s]. */
interface Prediction {
  likely: number;
  low: number;
  high: number;
  why: string;
}

/** The run otherwise, each change for itself: its elapsed time under the one that was measured. */
export function WhatIfHere() {
  const run = activeRun.value;
  const id = run?.id;
  const { by } = useCoreTimeSplit();
  const tree = useAnswer(id, 'core_time_tree', {}, { by, depth: 2 });
  const parts = useMemo(() => rowsOf(tree.table), [tree.table]);
  // the selected part, else the largest of your functions
  const part =
    parts.find((one) => one.id === coreTimePart.value) ??
    parts.find((one) => one.kind === 'function');
  const times = factors.part[chosen.part.value] ?? 1;
  const saving = useAnswer(
    part ? id : undefined,
    part ? 'core_time_part' : '',
    {},
    {
      by,
      under: part?.id ?? '',
      factor: times,
    },
  );
  // digests hold no chunks that could be told from others
  const others = openRuns.value
    .filter((other) => other.id !== id && other.digest !== 1)
    .map((other) => other.id);
  const asked = (change: keyof typeof chosen, now: number) =>
    Math.max(1, Math.round(now * (factors.more[chosen[change].value] ?? 1)));
  const first = useAnswerOf(id === undefined ? [] : [id, ...others], 'whatif');
  const was = rowsOf(first.table)[0];
  const cores = asked('cores', was?.cores ?? Number.NaN);
  const events = asked('chunks', was?.chunk_events ?? Number.NaN);
  const answer = useAnswerOf(
    was && id !== undefined ? [id, ...others] : [],
    was ? 'whatif' : '',
    {},
    {
      cores: String(cores),
      chunk_events: String(events),
    },
  );
  const rows = rowsOf(answer.pending ? undefined : answer.table);
  // the first is the run as it was recorded
  const ofCores = rows.slice(1).find((row) => row.cores === cores);
  const ofChunks = rows.find((row) => row.chunk_events === events);
  const took = run?.elapsed ?? Number.NaN;
  const saved = saving.pending ? undefined : saving.table?.notes;
  const ofPart: Prediction | undefined = saved && {
    likely: took - Number(saved.saves),
    low: took - Number(saved.saves_high),
    high: took - Number(saved.saves_low),
    why: String(saved.saving ?? ''),
  };
  const end = largest(
    [took, ...[ofCores, ofChunks].map((row) => row?.elapsed_high ?? took)].filter(Number.isFinite),
  );
  // its room is the neighbour's only when there is nothing to foretell (panels.css)
  if (!was || !run) return first.table || first.error ? null : <span hidden />;
  const lane = { end, took };
  return (
    <Panel
      title="What if"
      subtitle={
        <span title="one change at a time, simulated from the recorded chunks">simulated</span>
      }
      answers={[answer, saving]}
      data={answer.table ?? first.table}
      testId="whatif-here"
    >
      <div class="whatif-here">
        <span>Measured</span>
        <span class="muted">
          {count(was.cores)} cores, {count(Math.round(was.chunk_events))} events
        </span>
        <span class="whatif-lane">
          <i class="whatif-bar whatif-took" style={{ width: `${(100 * took) / end}%` }} />
        </span>
        <b>{duration(took)}</b>
        <Change
          id="cores"
          title="Cores"
          value={count(cores)}
          steps={factors.more.length}
          predicted={predictionOf(ofCores)}
          seen={ofCores?.measured}
          {...lane}
        />
        <Change
          id="chunks"
          title="Events per chunk"
          value={count(events)}
          steps={factors.more.length}
          predicted={predictionOf(ofChunks)}
          {...lane}
        />
        {part ? (
          <Change
            id="part"
            title={partLabel(part)}
            value={`× ${times}`}
            steps={factors.part.length}
            predicted={ofPart}
            {...lane}
          />
        ) : null}
      </div>
      {noteText(first, 'missing') ? <p class="muted">{noteText(first, 'missing')}</p> : null}
    </Panel>
  );
}

const predictionOf = (row: Row<'whatif'> | undefined): Prediction | undefined =>
  row && {
    likely: row.elapsed,
    low: row.elapsed_low,
    high: row.elapsed_high,
    why: row.note,
  };

interface ChangeProps {
  id: keyof typeof chosen;
  title: string;
  value: string;
  steps: number;
  predicted: Prediction | undefined;
  /** the elapsed time of another run of the same work that was so [s] */
  seen?: number | undefined;
  end: number;
  took: number;
}

function Change({ id, title, value, steps, predicted, seen = Number.NaN, end, took }: ChangeProps) {
  const at = chosen[id];
  const step = (by: number, text: string, name: string) => (
    <Button
      class="button button-small"
      aria-label={`${title}: ${name}`}
      data-testid={`whatif-${id}-${name}`}
      disabled={at.value + by < 0 || at.value + by >= steps}
      onClick={() => {
        at.value += by;
      }}
    >
      {text}
    </Button>
  );
  const place = (seconds: number) => `${(100 * seconds) / end}%`;
  const known =
    predicted !== undefined &&
    Number.isFinite(predicted.likely) &&
    isDecided(predicted.low, predicted.high, took);
  const bounded = predicted !== undefined && Number.isFinite(predicted.high);
  return (
    <>
      <span class="whatif-name" title={title}>
        {title}
      </span>
      <span class="whatif-step">
        {step(-1, '−', 'less')}
        <output>{value}</output>
        {step(1, '+', 'more')}
      </span>
      <span class="whatif-lane" title={predicted?.why}>
        {known ? (
          <i class="whatif-bar whatif-predicted" style={{ width: place(predicted.likely) }} />
        ) : null}
        {bounded ? (
          <i
            class={`whatif-bar ${known ? 'whatif-band' : 'whatif-unsure'}`}
            style={{ left: place(predicted.low), width: place(predicted.high - predicted.low) }}
          />
        ) : null}
        {Number.isFinite(seen) ? (
          <i class="whatif-bar whatif-seen" style={{ left: place(seen) }} />
        ) : null}
      </span>
      <span class="whatif-said" title={predicted?.why} data-testid={`whatif-${id}`}>
        {predicted ? (
          <PredictionText predicted={predicted} known={known} bounded={bounded} />
        ) : (
          '\u00a0'
        )}
      </span>
    </>
  );
}

function PredictionText({
  predicted,
  known,
  bounded,
}: {
  predicted: Prediction;
  known: boolean;
  bounded: boolean;
}) {
  const { likely, low, high, why } = predicted;
  return (
    <>
      <b>{known ? duration(likely) : 'cannot tell'}</b>{' '}
      <span class="muted">
        {bounded && low < high ? durationRange(low, high) : ''}
        {bounded || Number.isFinite(likely) ? '' : why}
      </span>
    </>
  );
}

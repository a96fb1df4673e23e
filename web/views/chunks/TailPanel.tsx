import { useMemo } from 'preact/hooks';
import type { NumbersOf } from '../../engine/questions';
import { rowsOf, type Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { coreTime, count, duration, percent, significant } from '../../plot/format';
import { heldSamples, intervals } from '../../plot/steps';
import { TimeAxisLabels } from '../../plot/TimeAxisLabels';
import { Track } from '../../plot/Track';
import { useAnswer } from '../../state/answers';
import { hoveredChunk } from '../../state/hoveredChunk';
import { selectRanges } from '../../state/ranges';
import { activeRun, activeRunId } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { Button } from '../../ui/Button';
import { noteText, Panel } from '../common/Panel';

const bins = 240;
const stragglers = 4;
const height = 96;

/**
 * How the run ended: what ended last, what waiting for it cost, and what an ideal order would have
 * given.
 */
export function TailPanel() {
  const run = activeRunId.value;
  // some of the chunks have no tail: what ran beside them is not among them
  const tail = useAnswer(run, 'tail');
  const chunks = useAnswer(
    run,
    'chunks',
    {},
    {
      columns: 'chunk,dataset,t_end,duration',
      most: stragglers,
    },
  );
  const { table } = tail;
  const known = table !== undefined && table.rows > 0;
  const number = (name: NumbersOf<'tail'>) => (known ? table.number(name, 0) : Number.NaN);
  const t95 = number('t95');
  const end = number('end');
  // the course before the tail is shown, too: as long again, so that the fall can be seen
  const begin = Math.max(0, t95 - Math.max(end - t95, 1));
  const window = known && end > begin ? ([begin, end] as [number, number]) : undefined;
  const running = useAnswer(run, window ? 'throughput' : '', window ? { time: window } : {}, {
    bins,
    window: 'selection',
  });
  const timeline = useAnswer(run, 'timeline');
  const last = rowsOf(chunks.table);
  const ideal = number('ideal_end');
  const saved = number('actual_makespan') - number('ideal_makespan');
  const elapsed = activeRun.value?.elapsed ?? Number.NaN;
  const wasted = number('core_seconds_wasted');
  const slow = number('outliers');
  return (
    <Panel
      title="Last 5 % of the chunks and stragglers"
      subtitle={[
        known ? `95 % done at ${duration(t95)}` : '',
        isFiltered.value ? 'of the whole run' : '',
      ]
        .filter(Boolean)
        .join(' · ')}
      answers={[tail, running]}
      data={table}
      testId="tail"
    >
      {known ? (
        <>
          <dl class="facts-row">
            <Fact id="tail-length" title="last 5 % took" value={duration(number('length'))} />
            <Fact
              id="tail-wasted"
              title="cores not in process()"
              value={Number.isFinite(wasted) ? coreTime(wasted) : 'not recorded'}
              sub={Number.isFinite(wasted) ? '' : 'needs tracking'}
            />
            <Fact
              id="tail-ideal"
              title="if longest ran first"
              value={Number.isFinite(ideal) ? duration(elapsed - saved) : 'not known'}
              sub={Number.isFinite(ideal) ? `of ${duration(elapsed)}` : 'needs the number of cores'}
              explain="the same chunks and cores, longest chunks first: at most a third longer than the best order"
            />
            <Fact
              id="tail-outliers"
              title="outliers"
              value={count(slow)}
              sub={slow > 0 ? 'select' : ''}
              onClick={
                slow > 0
                  ? () => selectRanges(['outlier'], [{ column: 'outlier', lo: 1, hi: 1 }])
                  : undefined
              }
            />
          </dl>
          {window ? (
            <Course
              running={running.table?.question === 'throughput' ? running.table : undefined}
              timeline={timeline.table}
              window={window}
              t95={t95}
              ideal={ideal}
            />
          ) : null}
          <p class="muted last-chunks">
            Ended last:{' '}
            {last.map((chunk, index) => (
              <span key={chunk.chunk}>
                {index > 0 ? ', ' : ''}
                <Button
                  class="link"
                  onPointerEnter={() => {
                    hoveredChunk.value = chunk.chunk;
                  }}
                  onPointerLeave={() => {
                    hoveredChunk.value = undefined;
                  }}
                  onClick={() => selectChunk(chunk.t_end)}
                >
                  {chunk.dataset || 'chunk'} {duration(chunk.duration)}
                </Button>
              </span>
            ))}
          </p>
        </>
      ) : (
        <p class="missing">
          {table ? noteText(tail, 'missing') || 'no chunk in the selection' : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}

/** A chunk as a selection: by its place in time, which no two slow ones share to the last digit. */
function selectChunk(end: number): void {
  selectRanges(['t_end'], [{ column: 't_end', lo: end, hi: end }]);
}

interface FactProps {
  id: string;
  title: string;
  value: string;
  sub?: string;
  explain?: string;
  onClick?: (() => void) | undefined;
}

function Fact({ id, title, value, sub = '', explain, onClick }: FactProps) {
  return (
    <div title={explain}>
      <dt>{title}</dt>
      <dd data-testid={id}>{value}</dd>
      <dd class="fact-note">
        {onClick ? (
          <Button class="link" data-testid={`${id}-select`} onClick={onClick}>
            {sub}
          </Button>
        ) : (
          <span class="muted">{sub || '\u00a0'}</span>
        )}
      </dd>
    </div>
  );
}

interface CourseProps {
  running: Table | undefined;
  timeline: Table | undefined;
  window: readonly [number, number];
  t95: number;
  ideal: number;
}

/** Cores in process() of those available; what lies between idles. */
function Course({ running, timeline, window, t95, ideal }: CourseProps) {
  const [begin, end] = window;
  const layers = useMemo((): Layer[] | undefined => {
    if (!running || running.rows === 0) return undefined;
    const busy = intervals(
      running.numbers('t0'),
      running.numbers('t1'),
      running.numbers('chunks_running'),
    );
    const cores =
      timeline && timeline.rows > 0
        ? heldSamples(timeline.numbers('t'), timeline.numbers('cores'), end)
        : undefined;
    return [
      ...(cores
        ? [{ kind: 'hatch', steps: cores, ground: '--ph-idle', ink: '--ph-idle-ink' } as const]
        : []),
      { kind: 'area', steps: busy, colour: '--ph-process' },
      ...(cores ? [{ kind: 'line', steps: cores, colour: '--text', width: 1.25 } as const] : []),
    ];
  }, [running, timeline, end]);
  if (!layers) return <div style={{ height: `${height + 18}px` }} />;
  const share = (t: number) => (t - begin) / (end - begin);
  return (
    <div class="mini-track">
      <div class="tail-course">
        <Track
          over={window}
          layers={layers}
          height={height}
          wanted={2}
          label={`Cores in process() from ${significant(begin)} to ${significant(end)} s: ${percent(share(t95))} of it before 95 % of the chunks were done`}
        />
        <Moment at={share(t95)} text="95 % done" />
        {ideal > begin && ideal < end ? (
          <Moment at={share(ideal)} text="longest first" below />
        ) : null}
      </div>
      <TimeAxisLabels range={[begin, end]} unit="s" below />
    </div>
  );
}

function Moment({ at, text, below = false }: { at: number; text: string; below?: boolean }) {
  return (
    <div class={at > 0.75 ? 'moment moment-left' : 'moment'} style={{ left: `${at * 100}%` }}>
      <span style={below ? { top: '16px' } : {}}>{text}</span>
    </div>
  );
}

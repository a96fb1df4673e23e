import { coreTimes } from '../../domain/coreTime';
import { fullSentence } from '../../domain/sentenceCase';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { Frame } from '../../plot/Frame';
import { count, duration, memory } from '../../plot/format';
import { HatchDefinition } from '../../plot/HatchDefinition';
import { Band, Clipped, Line, Rule } from '../../plot/marks';
import { type Plot, usePlot } from '../../plot/plot';
import { roundedUp, type ValueAxis } from '../../plot/scales';
import { selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { tooltipOn } from '../../ui/tooltip';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';

/** What other chunk sizes would cost. */
export function SizesPanel() {
  const answer = useAnswer('chunk_sizes', selection.value);
  const { table } = answer;
  return (
    <Panel
      title="Chunk size"
      subtitle={
        noteText(answer, 'selection') ||
        'expected run time for other sizes; the band is the uncertainty'
      }
      answer={answer}
      className="span-7"
      testId="sizes"
    >
      {table && table.rows > 0 ? (
        <>
          <p class="advice" data-testid="sizes-advice">
            {fullSentence(noteText(answer, 'advice') || noteText(answer, 'missing'))}
          </p>
          <SizesChart table={table} />
          {noteText(answer, 'basis') ? (
            <p class="muted">{fullSentence(noteText(answer, 'basis'))}</p>
          ) : null}
        </>
      ) : null}
      {table?.rows === 0 ? <Absent title="No advice" reason={noteText(answer, 'missing')} /> : null}
    </Panel>
  );
}

const height = 210;
const margins = { left: 46, right: 12, top: 20, bottom: 36 };

interface Size {
  of: Row<'chunk_sizes'>;
  events: number;
  low: number;
  mid: number;
  high: number;
  limit: string;
}

const inThousands = (events: number): string =>
  events >= 1000 ? `${events / 1000}k` : String(events);

/**
 * Expected run time (or, without a length of the run, core-seconds) over chunk sizes: a line within
 * its band.
 */
function SizesChart({ table }: { table: Table<'chunk_sizes'> }) {
  const timed = table.numbers('elapsed').some(Number.isFinite);
  const sizes: Size[] = rowsOf(table).map((of) => ({
    of,
    events: of.chunk_events,
    low: timed ? of.elapsed_low : of.inside_seconds,
    mid: timed ? of.elapsed : of.inside_seconds,
    high: timed ? of.elapsed_high : of.inside_seconds,
    limit: of.limited_by,
  }));
  const along = (what: 'events' | 'low' | 'mid' | 'high') => sizes.map((size) => size[what]);
  const present = sizes.find(({ of }) => of.present === 1);
  const first = sizes[0]?.events ?? 1;
  const last = sizes.at(-1)?.events ?? 10;
  const x: ValueAxis = { lo: first, hi: last > first ? last : first * 2, log: true };
  // sizes far off would press all others flat: the axis ends at four times the present
  const now = present?.mid ?? sizes[0]?.mid ?? 1;
  const top = roundedUp(Math.min(4 * now, Math.max(...sizes.map((size) => size.high))), 3);
  const plot = usePlot(
    { ...x, title: 'events per chunk', ticks: 80, tickText: inThousands },
    {
      lo: 0,
      hi: top,
      log: false,
      title: timed ? 'run time (s)' : 'core-s in process()',
      ticks: 50,
    },
    height,
    margins,
  );
  const each = plot.width / sizes.length;
  return (
    <Frame
      plot={plot}
      label={`Expected run time for chunks of ${count(first)} to ${count(last)} events; now ${duration(now)}`}
      testId="sizes-chart"
      under={<Limits sizes={sizes} plot={plot} />}
    >
      <Clipped plot={plot}>
        <Band
          plot={plot}
          of={{ x: along('events'), low: along('low'), high: along('high'), colour: '--accent' }}
        />
        <Line
          plot={plot}
          of={{
            x: along('events'),
            y: along('mid'),
            colour: '--accent',
          }}
        />
      </Clipped>
      {present ? (
        <g>
          <Rule plot={plot} x={present.events} dash="3 3" />
          <text x={plot.x(present.events)} y={-5} text-anchor="middle">
            now: {count(Math.round(present.events))}
          </text>
        </g>
      ) : null}
      {sizes.map((size) => (
        <rect
          key={size.events}
          class="hit"
          x={plot.x(size.events) - each / 2}
          y={0}
          width={each}
          height={plot.height}
          {...tooltipOn(() => <SizeFacts of={size.of} />)}
        />
      ))}
      {sizes.map((size) =>
        size.mid <= top ? (
          <circle
            key={size.events}
            class={size === present ? 'size-dot size-dot-now' : 'size-dot'}
            cx={plot.x(size.events)}
            cy={plot.y(size.mid)}
            r={size === present ? 4 : 2.5}
          />
        ) : null,
      )}
    </Frame>
  );
}

const limitNames = { tail: 'long tail', memory: 'memory limit' };

/** From where on a limit bites: hatched to the right end, the hatch only once where both do. */
function Limits({
  sizes,
  plot: { x, width, height: plotHeight },
}: {
  sizes: readonly Size[];
  plot: Plot;
}) {
  const found = (['memory', 'tail'] as const).flatMap((limit) => {
    const first = sizes.find((size) => size.limit === limit);
    return first && first !== sizes[0] ? [{ limit, first }] : [];
  });
  if (found.length === 0) return null;
  const from = Math.min(...found.map(({ first }) => x(first.events)));
  return (
    <g>
      <defs>
        <HatchDefinition id="sizes-limit" ground="var(--surface)" ink="var(--line-2)" />
      </defs>
      <rect
        x={from}
        y={0}
        width={Math.max(0, width - from)}
        height={plotHeight}
        fill="url(#sizes-limit)"
      />
      {found.map(({ limit, first }, index) => (
        <text key={limit} x={width - 4} y={12 + 14 * index} text-anchor="end" class="halo-surface">
          {limitNames[limit]} from {count(Math.round(first.events))}
        </text>
      ))}
    </g>
  );
}

function SizeFacts({ of }: { of: Row<'chunk_sizes'> }) {
  const known = (value: number) => Number.isFinite(value);
  const [inside, low, high] = coreTimes(of.inside_seconds, of.outside_low, of.outside_high);
  return (
    <>
      <div>
        <b>{count(Math.round(of.chunk_events))} events per chunk</b>
        {of.present === 1 ? ' (as recorded)' : ''} · {count(of.chunks)} chunks
      </div>
      {known(of.elapsed) ? (
        <div>
          {duration(of.elapsed)}, between {duration(of.elapsed_low)} and {duration(of.elapsed_high)}
        </div>
      ) : null}
      <div class="muted">in process() {inside}</div>
      {known(of.outside_low) ? (
        <div class="muted">
          outside of it {low} to {high}: how much of it grows with the events is not known exactly
        </div>
      ) : null}
      <div class="muted">
        longest chunk {duration(of.longest_chunk)}
        {known(of.memory) ? ` · memory ${memory(of.memory)}` : ''}
      </div>
    </>
  );
}

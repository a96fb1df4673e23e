import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { withUnit } from '../../plot/format';
import type { TimeAxis } from '../../plot/timeAxis';
import { folded } from '../../state/timelines';
import { Button } from '../../ui/Button';
import { PanelMenu } from '../common/PanelMenu';

export interface TrackFrameProps {
  id: string;
  title: string;
  /** unit and method, under the title */
  unit: string;
  axis: TimeAxis;
  /** what stands behind its mean while it is folded, where that brings no unit along */
  shortUnit?: string;
  /** folded until it is wanted */
  minor?: boolean;
  /** values at a moment, or over what is selected: the main one, and another under it */
  readOut: (moment: number | undefined) => [string, string];
  controls?: ComponentChildren;
  /** the answer behind the picture */
  data?: Table | undefined;
  children: ComponentChildren;
}

export const isFolded = (id: string, minor: boolean): boolean => folded.value[id] ?? minor;

/** A track with its gutter: name, unit, values at the cursor, and what can be done with it. */
export function TrackFrame({
  id,
  title,
  unit,
  shortUnit = '',
  axis,
  minor = false,
  readOut,
  controls,
  data,
  children,
}: TrackFrameProps) {
  const away = isFolded(id, minor);
  const box = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={box}
      class={[
        'track-row',
        id === 'workers' ? 'track-workers' : '',
        away ? 'track-folded' : controls ? 'track-controlled' : '',
      ].join(' ')}
      data-testid={`track-${id}`}
    >
      <div class="track-gutter">
        <div class="gutter-line">
          <h2>
            <Button
              class="fold"
              aria-expanded={!away}
              data-testid={`fold-${id}`}
              onClick={() => {
                folded.value = { ...folded.peek(), [id]: !away };
              }}
            >
              <span class="fold-mark" aria-hidden="true" />
              {title}
            </Button>
          </h2>
          <ReadOut
            id={id}
            axis={axis}
            readOut={readOut}
            place={0}
            short={away ? shortUnit : undefined}
          />
        </div>
        {away ? null : (
          <div class="gutter-line">
            <span class="muted" title={unit}>
              {unit}
            </span>
            <ReadOut id={id} axis={axis} readOut={readOut} place={1} />
            <PanelMenu title={title} name={`track-${id}`} box={box} table={data} />
          </div>
        )}
      </div>
      {controls && !away ? <div class="gutter-controls row">{controls}</div> : null}
      {away ? <div class="track-plot" /> : children}
    </div>
  );
}

interface ReadOutProps extends Pick<TrackFrameProps, 'id' | 'axis' | 'readOut'> {
  place: 0 | 1;
  /** there is no room for a word: only for this unit */
  short?: string | undefined;
}

/** Only this is drawn again when the cursor moves. */
function ReadOut({ id, axis, readOut, place, short }: ReadOutProps) {
  const moment = axis.cursor.value;
  const text = readOut(moment)[place];
  if (place === 1) return <span class="read-out second">{text}</span>;
  return (
    <span class="read-out" data-testid={`read-${id}`}>
      {moment === undefined && text && short === undefined ? (
        <small class="muted">mean </small>
      ) : null}
      {text && short ? withUnit(text, short) : text}
    </span>
  );
}

/** A track the bundle has no data for. */
export function AbsentRow({ id, title, reason }: { id: string; title: string; reason: string }) {
  return (
    <div class="track-row" data-testid={`absent-${id}`}>
      <div class="track-gutter">
        <h2>{title}</h2>
      </div>
      <p class="small muted">
        {reason.includes('not recorded') ? null : <span class="missing">not recorded: </span>}
        {reason}
      </p>
    </div>
  );
}

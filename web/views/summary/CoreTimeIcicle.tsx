import { useMemo, useRef } from 'preact/hooks';
import { type CorePart, partColour, partLabel, rowTitle } from '../../domain/coreTime';
import { coreTime, coreTimeScale } from '../../plot/format';
import { paletteGeneration } from '../../plot/palette';
import { useSize } from '../../plot/useSize';
import { coreTimePart, coreTimeZoom } from '../../state/coreTime';
import { ownKeys, useKeys } from '../../ui/keys';
import { hideTooltip } from '../../ui/tooltip';
import { domId, type MeasuredPart, MeasuredRow, PartBox, WholeBox } from './CoreTimeBoxes';
import { Narrow, PartList, Path } from './CoreTimeWords';

export interface CoreTimeIcicleProps {
  /** the part that fills the width first, then what it unfolds into, parents before children */
  parts: readonly CorePart[];
  measured: readonly MeasuredPart[];
  measuredTitle: string;
  search: string;
  /** the key / was pressed */
  onSearch: () => void;
  colourOf: (dataset: string) => string;
}

/** Boxes narrower than this are not drawn: their parent stands for them. */
const narrowest = 1.5;
/** Below this width the parts are a list. */
const listBelow = 420;

/** What a part unfolds into fills its width, row by row downwards: a tree that is walked by keys. */
export function CoreTimeIcicle({
  parts,
  measured,
  measuredTitle,
  search,
  onSearch,
  colourOf,
}: CoreTimeIcicleProps) {
  const [box, width] = useSize<HTMLDivElement>();
  // inks follow the theme's colours
  void paletteGeneration.value;
  const selected = coreTimePart.value;
  const rows = useMemo(() => {
    const byDepth = new Map<number, CorePart[]>();
    for (const part of parts) byDepth.set(part.depth, [...(byDepth.get(part.depth) ?? []), part]);
    return [...byDepth.values()];
  }, [parts]);
  const whole = parts[0];
  const wanted = search.trim().toLowerCase();
  const zoomTo = (part: CorePart | undefined) => {
    if (!part || !(part.children > 0)) return;
    hideTooltip();
    coreTimeZoom.value = part.parent === '' ? '' : part.id;
    coreTimePart.value = part.id;
  };
  // a step back does not wait for the answer of the one before
  const parents = useRef(new Map<string, string>());
  for (const part of parts) parents.current.set(part.id, part.depth > 1 ? part.parent : '');
  const outOf = () => {
    if (coreTimeZoom.peek() === '') return false;
    coreTimeZoom.value = parents.current.get(coreTimeZoom.peek()) ?? '';
    return true;
  };
  const now = parts.find(({ id }) => id === selected);
  const walk = (step: 'out' | 'in' | -1 | 1) => () => {
    if (!now) {
      coreTimePart.value = whole?.id ?? '';
      return;
    }
    const next =
      step === 'out'
        ? parts.find(({ id }) => id === now.parent)
        : step === 'in'
          ? parts.find(({ parent }) => parent === now.id)
          : beside(rows, now, step);
    if (next) coreTimePart.value = next.id;
  };
  const keys = ownKeys({
    ArrowUp: walk('out'),
    ArrowDown: walk('in'),
    ArrowLeft: walk(-1),
    ArrowRight: walk(1),
    Enter: () => zoomTo(now),
  });
  useKeys('view', {
    '/': onSearch,
    Escape: () => {
      if (coreTimePart.peek() === '') return outOf();
      coreTimePart.value = '';
      return true;
    },
  });
  if (!whole) return null;
  const asList = width > 0 && width < listBelow;
  const lane = asList ? width : Math.max(0, width - gutter(width));
  const size = whole.end - whole.begin;
  const scale = coreTimeScale(whole.core_seconds);
  const boxOf = (part: CorePart) => (
    <PartBox
      key={part.id}
      part={part}
      left={(part.begin - whole.begin) / size}
      share={(part.end - part.begin) / size}
      lane={lane}
      scale={scale}
      withUnit={part === whole || part.parent === whole.id}
      colour={partColour(part, colourOf)}
      selected={part.id === selected}
      dimmed={wanted !== '' && !partLabel(part).toLowerCase().includes(wanted)}
      onZoom={() => zoomTo(part)}
    />
  );
  return (
    <div ref={box}>
      {coreTimeZoom.value ? <Path whole={whole} /> : null}
      <div
        class={asList ? 'ct ct-list' : 'ct'}
        tabIndex={0}
        role="tree"
        aria-label={`Core-time: ${partLabel(whole)}, ${coreTime(whole.core_seconds)}`}
        aria-activedescendant={now ? domId(now) : undefined}
        data-testid="core-time-tree"
        onKeyDown={keys}
      >
        {asList ? (
          <PartList parts={parts} colourOf={colourOf} selected={selected} onZoom={zoomTo} />
        ) : (
          <>
            {measured.length > 0 ? (
              <MeasuredRow title={measuredTitle} parts={measured} lane={lane} scale={scale} />
            ) : null}
            {rows.map((row, place) =>
              place === 0 && coreTimeZoom.value === '' && measured.length > 0 ? (
                <div role="none" class="ct-whole" key="whole">
                  {row.map((part) => (
                    <WholeBox key={part.id} part={part} selected={part.id === selected} />
                  ))}
                </div>
              ) : (
                <div role="none" class={`ct-row ct-row-${Math.min(3, place)}`} key={row[0]?.id}>
                  <RowName parts={row} />
                  <div role="none" class="ct-lane">
                    {row
                      .filter((part) => ((part.end - part.begin) / size) * lane >= narrowest)
                      .map(boxOf)}
                  </div>
                </div>
              ),
            )}
          </>
        )}
      </div>
      {asList ? null : <Narrow rows={rows} lane={lane} size={size} />}
    </div>
  );
}

const gutter = (width: number): number => (width < 620 ? 0 : 104);

function beside(rows: readonly CorePart[][], from: CorePart, step: -1 | 1): CorePart | undefined {
  const row = rows.find((entries) => entries.includes(from)) ?? [];
  return row[row.indexOf(from) + step];
}

function RowName({ parts }: { parts: readonly CorePart[] }) {
  const [title, source] = rowTitle(parts);
  return (
    <div class="ct-name" aria-hidden="true" title={source && `from: ${source}`}>
      {title}
    </div>
  );
}

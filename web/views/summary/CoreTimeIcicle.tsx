import { useMemo, useRef } from 'preact/hooks';
import { activityColour } from '../../domain/activities';
import {
  boundsText,
  type CorePart,
  coreTimes,
  kindText,
  partColour,
  partLabel,
  partTexture,
  rowTitle,
} from '../../domain/coreTime';
import { coreTime, percent } from '../../plot/format';
import { at } from '../../plot/numbers';
import { cssColour, inkOn, paletteGeneration } from '../../plot/palette';
import { chartFont, cutText, textWidth } from '../../plot/textWidth';
import { useSize } from '../../plot/useSize';
import { coreTimePart, coreTimeZoom } from '../../state/coreTime';
import { ownKeys, useKeys } from '../../ui/keys';
import { hideTooltip, tooltipOn } from '../../ui/tooltip';

/** An activity of all tasks: what was measured over all of the phases. */
export interface MeasuredPart {
  id: string;
  name: string;
  label: string;
  seconds: number;
  share: number;
}

export interface CoreTimeIcicleProps {
  /** the part that fills the width first, then what it unfolds into, parents before children */
  parts: readonly CorePart[];
  measured: readonly MeasuredPart[];
  search: string;
  /** the key / was pressed */
  onSearch: () => void;
  colourOf: (dataset: string) => string;
}

const nameFont = chartFont(12, 600);
const valueFont = chartFont(12);
/** Boxes narrower than this are not drawn: their parent stands for them. */
const narrowest = 1.5;
const padding = 14;
/** A label with fewer letters says nothing. */
const fewestLetters = 5;
/** Below this width the parts are a list. */
const listBelow = 420;

/** What a part unfolds into fills its width, row by row downwards: a tree that is walked by keys. */
export function CoreTimeIcicle({
  parts,
  measured,
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
  const scale = { begin: whole.begin, size: whole.end - whole.begin };
  const boxOf = (part: CorePart) => (
    <PartBox
      key={part.id}
      part={part}
      left={(part.begin - scale.begin) / scale.size}
      share={(part.end - part.begin) / scale.size}
      lane={lane}
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
            {measured.length > 0 ? <MeasuredRow parts={measured} lane={lane} /> : null}
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
                      .filter((part) => ((part.end - part.begin) / scale.size) * lane >= narrowest)
                      .map(boxOf)}
                  </div>
                </div>
              ),
            )}
          </>
        )}
      </div>
      {asList ? null : <Narrow rows={rows} lane={lane} size={scale.size} />}
    </div>
  );
}

const domId = (part: CorePart): string => `part-${part.id.replace(/[^\w-]/g, '_')}`;
const gutter = (width: number): number => (width < 620 ? 0 : 104);

function beside(rows: readonly CorePart[][], from: CorePart, step: -1 | 1): CorePart | undefined {
  const row = rows.find((entries) => entries.includes(from)) ?? [];
  return row[row.indexOf(from) + step];
}

function RowName({ parts }: { parts: readonly CorePart[] }) {
  const [title, source] = rowTitle(parts);
  return (
    <div class="ct-name" aria-hidden="true">
      <b>{title}</b>
      <span>{source}</span>
    </div>
  );
}

/** The tree's root where the measured row stands in its place: there for keys and readers. */
function WholeBox({ part, selected }: { part: CorePart; selected: boolean }) {
  return (
    <div
      role="treeitem"
      id={domId(part)}
      aria-level={1}
      aria-selected={selected}
      aria-expanded
      tabIndex={-1}
      aria-label={`${partLabel(part)}: ${coreTime(part.core_seconds)}`}
    />
  );
}

function MeasuredRow({ parts, lane }: { parts: readonly MeasuredPart[]; lane: number }) {
  return (
    <div role="none" class="ct-row ct-row-measured" aria-hidden="true">
      <div class="ct-name">
        <b>Available</b>
        <span>measured</span>
      </div>
      <div class="ct-lane ct-measured">
        {parts.map((part) => {
          const name = part.name === 'thread-cpu' ? 'on a CPU' : part.label.replace(/ \(.*/, '');
          const text = `${name} ${coreTime(part.seconds)} · ${percent(part.share)}`;
          const room = part.share * lane - padding;
          const shown = [text, `${name} ${percent(part.share)}`].find(
            (candidate) => textWidth(candidate, nameFont) <= room,
          );
          return (
            <span
              key={part.id}
              class={part.name === 'idle' ? 'ct-share ct-hatched' : 'ct-share'}
              style={{
                width: `${part.share * 100}%`,
                background: part.name === 'idle' ? undefined : cssColour(activityColour(part.name)),
                color: part.name === 'idle' ? undefined : inkOn(activityColour(part.name)),
              }}
              title={text}
            >
              {shown ?? fitted(name, nameFont, room)}
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** What fits, of at least five letters; '' where not even they do. */
function fitted(text: string, font: string, room: number): string {
  const cut = cutText(text, font, room);
  return cut === text || cut.length > fewestLetters ? cut : '';
}

interface PartBoxProps {
  part: CorePart;
  /** of the width */
  left: number;
  share: number;
  lane: number;
  colour: string;
  selected: boolean;
  dimmed: boolean;
  onZoom: () => void;
}

function PartBox(props: PartBoxProps) {
  const { part, left, share, lane, colour, selected, dimmed } = props;
  const room = share * lane - padding;
  const texture = partTexture(part);
  const name = fitted(partLabel(part), nameFont, room);
  const [amount, percentage] = [coreTime(part.core_seconds), percent(part.share)];
  const value =
    name !== '' &&
    [`${amount} · ${percentage}`, amount, percentage].find(
      (candidate) => textWidth(candidate, valueFont) <= room,
    );
  const classes = [
    'ct-box',
    texture === 'solid' ? '' : `ct-${texture}`,
    selected ? 'ct-selected' : '',
    dimmed ? 'ct-dimmed' : '',
    part.certainty === 'estimated' && texture === 'solid' ? 'ct-estimated' : '',
  ];
  return (
    <div
      role="treeitem"
      id={domId(part)}
      aria-level={part.depth + 1}
      aria-selected={selected}
      aria-expanded={part.children > 0 ? true : undefined}
      tabIndex={-1}
      class={classes.filter(Boolean).join(' ')}
      data-testid={`part-${part.id}`}
      style={{
        left: `${left * 100}%`,
        width: `${share * 100}%`,
        backgroundColor: texture === 'hatched' ? undefined : cssColour(colour),
        color: texture === 'hatched' ? undefined : inkOn(colour),
      }}
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>('[role="tree"]')?.focus({ preventScroll: true });
        coreTimePart.value = selected ? '' : part.id;
      }}
      onDblClick={props.onZoom}
      onKeyDown={ownKeys({ Enter: props.onZoom })}
      {...tooltipOn(() => <PartTooltip part={part} />)}
    >
      {part.uncertain > 0 ? (
        <i
          class="ct-uncertain"
          style={{ width: `${(part.uncertain / part.core_seconds) * 100}%` }}
        />
      ) : null}
      <span class="visually-hidden">{sentence(part)}</span>
      {room > 0 ? (
        <span class="ct-text" aria-hidden="true">
          {name ? <b>{name}</b> : null}
          {value ? <span>{value}</span> : null}
        </span>
      ) : null}
      {part.waiting > 0 || part.on_cpu > 0 ? (
        <i class={part.split_measured === 1 ? 'ct-strip' : 'ct-strip ct-pale'}>
          <i class="ct-cpu" style={{ flexGrow: part.on_cpu }} />
          <i class="ct-wait" style={{ flexGrow: part.waiting }} />
        </i>
      ) : null}
      {part.blocked > 0 ? (
        <i class="ct-blocked" style={{ width: `${(part.blocked / part.core_seconds) * 100}%` }} />
      ) : null}
    </div>
  );
}

const sentence = (part: CorePart): string =>
  [
    `${partLabel(part)}: ${coreTime(part.core_seconds)}, ${percent(part.share)}`,
    part.most > part.least ? `between ${coreTimes(part.least, part.most).join(' and ')}` : '',
    part.certainty === 'measured' ? '' : part.certainty,
    part.children > 0 ? 'Enter unfolds it' : '',
  ]
    .filter(Boolean)
    .join(', ');

function PartTooltip({ part }: { part: CorePart }) {
  return (
    <>
      <div>
        <b>{partLabel(part)}</b> <span class="muted">{kindText(part)}</span>
      </div>
      <div>
        {coreTime(part.core_seconds)} · {percent(part.share)}
        {part.most > part.least ? ` · ${boundsText(part)}` : ''}
      </div>
      {part.file ? (
        <div class="mono">
          {part.file}
          {part.line > 0 ? `:${part.line}` : ''}
        </div>
      ) : null}
      <div class="muted">{part.note}</div>
    </>
  );
}

/** Narrow phases, and what idle is made of, in words: no box is made wider than it is. */
function Narrow({ rows, lane, size }: { rows: readonly CorePart[][]; lane: number; size: number }) {
  const phases = rows.flat().filter((part) => part.depth === 1);
  const narrow = phases.filter(
    (part) =>
      part.core_seconds > 0 &&
      fitted(partLabel(part), nameFont, ((part.end - part.begin) / size) * lane - padding) === '',
  );
  if (narrow.length === 0) return null;
  return (
    <ul class="ct-narrow">
      {narrow.map((part) => {
        const inside = rows.flat().filter(({ parent }) => parent === part.id);
        return (
          <li key={part.id}>
            <button
              type="button"
              class="link-button"
              onClick={() => {
                coreTimePart.value = part.id;
              }}
            >
              {partLabel(part)} {coreTime(part.core_seconds)} · {percent(part.share)}
            </button>
            {part.kind === 'idle' && inside.length > 0
              ? `: ${inside
                  .map((cause) => `${cause.label.toLowerCase()} ${coreTime(cause.core_seconds)}`)
                  .join(', ')}`
              : ''}
          </li>
        );
      })}
    </ul>
  );
}

/** Where the picture is: each part above is a step back. */
function Path({ whole }: { whole: CorePart }) {
  const steps = stepsTo(whole);
  return (
    <nav class="ct-path" aria-label="Unfolded part">
      <button
        type="button"
        class="link-button"
        data-testid="core-time-all"
        onClick={() => {
          coreTimeZoom.value = '';
        }}
      >
        All core-time
      </button>
      {steps.map((step) => (
        <span key={step.id}>
          {' › '}
          <button
            type="button"
            class="link-button"
            onClick={() => {
              coreTimeZoom.value = step.id;
            }}
          >
            {step.label}
          </button>
        </span>
      ))}
      {' › '}
      <b>{partLabel(whole)}</b>
      <kbd>Esc</kbd>
    </nav>
  );
}

const phaseNames: Record<string, string> = {
  inside_process: 'Inside process()',
  outside_process: 'Outside process()',
  processor_tasks: 'Processor tasks',
  lost_work: 'Lost work',
  other_tasks: 'Other tasks',
  idle: 'Idle',
};

/** The phase above it; deeper ones hold names with any sign in them and are stepped to by Esc. */
function stepsTo(whole: CorePart): { id: string; label: string }[] {
  const [, phase = ''] = whole.id.split('/');
  const label = phaseNames[phase];
  return label && whole.depth > 1 ? [{ id: `available/${phase}`, label }] : [];
}

function PartList({
  parts,
  colourOf,
  selected,
  onZoom,
}: {
  parts: readonly CorePart[];
  colourOf: (name: string) => string;
  selected: string;
  onZoom: (part: CorePart) => void;
}) {
  const top = at([parts[0]?.depth ?? 0], 0);
  const size = (parts[0]?.end ?? 1) - (parts[0]?.begin ?? 0);
  return (
    <>
      {parts
        .filter((part) => part.depth - top <= 2 && (part.end - part.begin) / size >= 0.01)
        .map((part) => (
          <div
            key={part.id}
            role="treeitem"
            id={domId(part)}
            aria-level={part.depth + 1}
            aria-selected={part.id === selected}
            tabIndex={-1}
            class={part.id === selected ? 'ct-entry ct-selected' : 'ct-entry'}
            style={{ paddingLeft: `${8 + (part.depth - top) * 14}px` }}
            onClick={() => {
              coreTimePart.value = part.id === selected ? '' : part.id;
            }}
            onDblClick={() => onZoom(part)}
            onKeyDown={ownKeys({ Enter: () => onZoom(part) })}
          >
            <span class="ct-entry-name">{partLabel(part)}</span>
            <span class="ct-entry-value">{coreTime(part.core_seconds)}</span>
            <i
              class={partTexture(part) === 'hatched' ? 'ct-entry-bar ct-hatched' : 'ct-entry-bar'}
              style={{
                width: `calc(${part.share} * (100% - 16px))`,
                background:
                  partTexture(part) === 'hatched'
                    ? undefined
                    : cssColour(partColour(part, colourOf)),
              }}
            />
          </div>
        ))}
    </>
  );
}

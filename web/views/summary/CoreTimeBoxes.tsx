import { activityColour } from '../../domain/activities';
import { boundsText, type CorePart, kindText, partLabel, partTexture } from '../../domain/coreTime';
import { type CoreTimeScale, coreTime, coreTimeValue, listed, percent } from '../../plot/format';
import { cssColour, inkOn } from '../../plot/palette';
import { chartFont, cutText, textWidth } from '../../plot/textWidth';
import { coreTimePart } from '../../state/coreTime';
import { ownKeys } from '../../ui/keys';
import { tooltipOn } from '../../ui/tooltip';

/** An activity of all tasks: what was measured over all of the phases. */
export interface MeasuredPart {
  id: string;
  name: string;
  label: string;
  seconds: number;
  share: number;
}

const nameFont = chartFont(12, 600);
const valueFont = chartFont(12);
const padding = 14;
/** A label with fewer letters says nothing. */
const fewestLetters = 5;

export const domId = (part: CorePart): string => `part-${part.id.replace(/[^\w-]/g, '_')}`;

/** The tree's root where the measured row stands in its place: there for keys and readers. */
export function WholeBox({ part, selected }: { part: CorePart; selected: boolean }) {
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

interface MeasuredRowProps {
  /** what they are parts of */
  title: string;
  parts: readonly MeasuredPart[];
  lane: number;
  scale: CoreTimeScale;
}

/** The activities of all tasks, over the phases. */
export function MeasuredRow({ title, parts, lane, scale }: MeasuredRowProps) {
  return (
    <div role="none" class="ct-row ct-row-measured" aria-hidden="true">
      <div class="ct-name" title="measured">
        {title}
      </div>
      <div class="ct-lane ct-measured">
        {parts.map((part) => {
          const name = part.name === 'thread-cpu' ? 'on a CPU' : part.label.replace(/ \(.*/, '');
          const text = `${name} ${coreTime(part.seconds, scale)} · ${percent(part.share)}`;
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

/** The part's name, as far as it fits a box of that width. */
export const fittedName = (part: CorePart, width: number): string =>
  fitted(partLabel(part), nameFont, width - padding);

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
  scale: CoreTimeScale;
  /** where the row above does not say it */
  withUnit: boolean;
  colour: string;
  selected: boolean;
  dimmed: boolean;
  onZoom: () => void;
}

/** A part, as wide as its core-time. */
export function PartBox(props: PartBoxProps) {
  const { part, left, share, lane, colour, selected, dimmed } = props;
  const room = share * lane - padding;
  const texture = partTexture(part);
  const name = fittedName(part, share * lane);
  const percentage = percent(part.share);
  const amount = (props.withUnit ? coreTime : coreTimeValue)(part.core_seconds, props.scale);
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
      class={listed(classes, ' ')}
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
      {...tooltipOn(() => <PartTooltip part={part} scale={props.scale} />)}
    >
      {part.uncertain > 0 ? (
        <i
          class="ct-uncertain"
          style={{ width: `${(part.uncertain / part.core_seconds) * 100}%` }}
        />
      ) : null}
      <span class="visually-hidden">{sentence(part, props.scale)}</span>
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

const sentence = (part: CorePart, scale: CoreTimeScale): string =>
  listed(
    [
      `${partLabel(part)}: ${coreTime(part.core_seconds, scale)}, ${percent(part.share)}`,
      part.most > part.least
        ? `between ${coreTimeValue(part.least, scale)} and ${coreTime(part.most, scale)}`
        : '',
      part.certainty === 'measured' ? '' : part.certainty,
      part.children > 0 ? 'Enter unfolds it' : '',
    ],
    ', ',
  );

function PartTooltip({ part, scale }: Pick<PartBoxProps, 'part' | 'scale'>) {
  return (
    <>
      <div>
        <b>{partLabel(part)}</b> <span class="muted">{kindText(part)}</span>
      </div>
      <div>
        {coreTime(part.core_seconds, scale)} · {percent(part.share)}
        {part.most > part.least ? ` · ${boundsText(part, scale)}` : ''}
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

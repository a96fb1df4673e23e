import { type CorePart, partColour, partLabel, partTexture } from '../../domain/coreTime';
import { coreTime, coreTimeScale, percent } from '../../plot/format';
import { cssColour } from '../../plot/palette';
import { coreTimePart, coreTimeZoom } from '../../state/coreTime';
import { put } from '../../state/setter';
import { Button } from '../../ui/Button';
import { ownKeys } from '../../ui/keys';
import { domId, fittedName } from './CoreTimeBoxes';

/** Narrow phases, and what idle is made of, in words: no box is made wider than it is. */
export function Narrow({
  rows,
  lane,
  size,
}: {
  rows: readonly CorePart[][];
  lane: number;
  size: number;
}) {
  const scale = coreTimeScale(rows[0]?.[0]?.core_seconds ?? 0);
  const phases = rows.flat().filter((part) => part.depth === 1);
  const narrow = phases.filter(
    (part) =>
      part.core_seconds > 0 && fittedName(part, ((part.end - part.begin) / size) * lane) === '',
  );
  if (narrow.length === 0) return null;
  return (
    <ul class="ct-narrow">
      {narrow.map((part) => {
        const inside = rows.flat().filter(({ parent }) => parent === part.id);
        return (
          <li key={part.id}>
            <Button class="link-button" onClick={put(coreTimePart, part.id)}>
              {partLabel(part)} {coreTime(part.core_seconds, scale)} · {percent(part.share)}
            </Button>
            {part.kind === 'idle' && inside.length > 0
              ? `: ${inside
                  .map(
                    (cause) =>
                      `${cause.label.toLowerCase()} ${coreTime(cause.core_seconds, scale)}`,
                  )
                  .join(', ')}`
              : ''}
          </li>
        );
      })}
    </ul>
  );
}

/** Where the picture is: each part above is a step back. */
export function Path({ whole }: { whole: CorePart }) {
  const steps = stepsTo(whole);
  return (
    <nav class="ct-path" aria-label="Unfolded part">
      <Button class="link-button" data-testid="core-time-all" onClick={put(coreTimeZoom, '')}>
        All core-time
      </Button>
      {steps.map((step) => (
        <span key={step.id}>
          {' › '}
          <Button class="link-button" onClick={put(coreTimeZoom, step.id)}>
            {step.label}
          </Button>
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
  lost_work: 'Repeated work',
  other_tasks: 'Other tasks',
  idle: 'Idle',
};

/** The phase above it; deeper ones hold names with any sign in them and are stepped to by Esc. */
function stepsTo(whole: CorePart): { id: string; label: string }[] {
  const [, phase = ''] = whole.id.split('/');
  const label = phaseNames[phase];
  return label && whole.depth > 1 ? [{ id: `available/${phase}`, label }] : [];
}

/** The parts as a list, where the page is too narrow for boxes. */
export function PartList({
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
  const top = parts[0]?.depth ?? 0;
  const size = (parts[0]?.end ?? 1) - (parts[0]?.begin ?? 0);
  const scale = coreTimeScale(parts[0]?.core_seconds ?? 0);
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
            <span class="cut">{partLabel(part)}</span>
            <span class="ct-entry-value">{coreTime(part.core_seconds, scale)}</span>
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

import { type CorePart, partColour, partLabel, partTexture } from '../../domain/coreTime';
import { Legend } from '../../plot/Legend';

const unnamed = ['available', 'function', 'leaf', 'section', 'others', 'activity', 'dataset'];
/** Of the core-time: hover says what is smaller. */
const smallest = 0.01;

/** What colours and hatches mean, of those that are there. */
export function CoreTimeLegend({
  parts,
  colourOf,
}: {
  parts: readonly CorePart[];
  colourOf: (name: string) => string;
}) {
  const colours = new Map<string, string>();
  for (const part of parts) {
    if (partTexture(part) !== 'solid' || part.share < smallest) continue;
    const colour = partColour(part, colourOf);
    const label =
      part.kind === 'library'
        ? part.category
        : part.kind === 'function'
          ? 'your functions'
          : unnamed.includes(part.kind) || part.depth === 1
            ? ''
            : part.kind === 'purpose'
              ? ''
              : partLabel(part);
    if (label && part.kind !== 'no_section' && !colours.has(colour)) colours.set(colour, label);
  }
  const entries = [...colours]
    .slice(0, 10)
    .map(([colour, label]) => ({ id: colour, label, colour }));
  return (
    <div class="core-time-legend">
      {entries.length > 0 ? <Legend entries={entries} /> : null}
      {parts.some(({ uncertain }) => uncertain > 0) ? (
        <ul class="legend">
          <li title="which function is uncertain. The strip at the foot of a box is its time on a CPU and waiting; pale: average of all processor tasks">
            <span class="swatch swatch-uncertain" />
            uncertain
          </li>
        </ul>
      ) : null}
    </div>
  );
}

import { Button } from '../ui/Button';
import type { Shape } from './dots';
import { cssColour } from './palette';

export interface LegendEntry {
  id: string;
  label: string;
  colour: string;
  hatched?: boolean;
  /** of its points */
  shape?: Shape;
}

export interface LegendProps {
  entries: readonly LegendEntry[];
  /** entries that are dimmed because the user switched them off */
  off?: ReadonlySet<string>;
  onToggle?: (id: string) => void;
}

/** One legend per panel row: swatch and name. */
export function Legend({ entries, off, onToggle }: LegendProps) {
  return (
    <ul class="legend small secondary">
      {entries.map((entry) => {
        const content = (
          <>
            <Swatch {...entry} />
            {entry.label}
          </>
        );
        return (
          <li key={entry.id} class={off?.has(entry.id) ? 'legend-off' : ''}>
            {onToggle ? (
              <Button
                class="legend-button"
                aria-pressed={!off?.has(entry.id)}
                onClick={() => onToggle(entry.id)}
              >
                {content}
              </Button>
            ) : (
              content
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The small square, or the shape, that stands for a colour. */
export const Swatch = ({
  colour,
  hatched = false,
  shape = 'square',
}: Pick<LegendEntry, 'colour' | 'hatched' | 'shape'>) => (
  <span
    class={`swatch ${hatched ? 'hatched' : `swatch-${shape}`}`}
    style={hatched ? {} : { background: cssColour(colour) }}
  />
);

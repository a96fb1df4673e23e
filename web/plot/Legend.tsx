import { cssColour } from './palette';

export interface LegendEntry {
  id: string;
  label: string;
  colour: string;
  hatched?: boolean;
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
    <ul class="legend">
      {entries.map((entry) => (
        <li key={entry.id} class={off?.has(entry.id) ? 'legend-off' : ''}>
          {onToggle ? (
            <button
              type="button"
              class="legend-button"
              aria-pressed={!off?.has(entry.id)}
              onClick={() => onToggle(entry.id)}
            >
              <Swatch colour={entry.colour} hatched={entry.hatched ?? false} />
              {entry.label}
            </button>
          ) : (
            <>
              <Swatch colour={entry.colour} hatched={entry.hatched ?? false} />
              {entry.label}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The small square that stands for a colour. */
export function Swatch({ colour, hatched = false }: { colour: string; hatched?: boolean }) {
  return (
    <span
      class={hatched ? 'swatch swatch-hatched' : 'swatch'}
      style={hatched ? {} : { background: cssColour(colour) }}
    />
  );
}

import type { RefObject } from 'preact';
import type { Table } from '../../engine/table';
import {
  type FlameMode,
  flame,
  flameColours,
  flameModes,
  leafChoices,
  setFlame,
  setTree,
} from '../../state/flame';
import type { FlameBoxes } from '../common/flame/flameBoxes';
import { Segmented } from '../common/Segmented';
import { ProfileSelect } from './ProfileSelect';
import { SearchBox } from './SearchBox';
import { SectionSelect } from './SectionSelect';

export interface FlameToolbarProps {
  profiles: Table;
  profile: string;
  narrowed: string;
  modes: readonly FlameMode[];
  mode: FlameMode;
  onMode: (mode: FlameMode) => void;
  boxes: FlameBoxes | undefined;
  searchError: string;
  /** leaves are Dask's: what becomes of them can be chosen */
  uncounted: boolean;
  field: RefObject<HTMLInputElement | null>;
  onProfile: (profile: string) => void;
  onHit: (by: number) => void;
}

/** The forms that sections and chunks narrow. */
const treeModes: ReadonlySet<FlameMode> = new Set(['own', 'icicle', 'time', 'inverted', 'tree']);

/** Which tree, which view of it, search, colours. */
export function FlameToolbar(props: FlameToolbarProps) {
  const { colour, leaves } = flame.value;
  return (
    <div class="toolbar flame-toolbar">
      <ProfileSelect
        profiles={props.profiles}
        value={props.profile}
        narrowed={props.narrowed}
        onChange={props.onProfile}
      />
      <Segmented
        name="flame-mode"
        label="View"
        options={flameModes.filter((entry) => props.modes.includes(entry.id))}
        value={props.mode}
        onChange={props.onMode}
      />
      {treeModes.has(props.mode) ? <SectionSelect /> : null}
      <SearchBox
        field={props.field}
        boxes={props.boxes}
        onStep={props.onHit}
        error={props.searchError}
      />
      <label class="toolbar-field">
        <span>Colour</span>
        <select
          value={colour}
          title="Colour"
          data-testid="flame-colour"
          onChange={(event) => {
            const found = flameColours.find((entry) => entry.id === event.currentTarget.value);
            if (found) setFlame({ colour: found.id });
          }}
        >
          {flameColours.map((entry) => (
            <option key={entry.id} value={entry.id}>
              {entry.title}
            </option>
          ))}
        </select>
      </label>
      {props.uncounted ? (
        <label
          class="toolbar-field"
          title={leafChoices.find((entry) => entry.id === leaves)?.detail}
        >
          <span>Self time</span>
          <select
            value={leaves}
            data-testid="flame-leaves"
            onChange={(event) => {
              const found = leafChoices.find((entry) => entry.id === event.currentTarget.value);
              if (found) setTree({ leaves: found.id });
            }}
          >
            {leafChoices.map((entry) => (
              <option key={entry.id} value={entry.id} title={entry.detail}>
                {entry.title}
              </option>
            ))}
          </select>
        </label>
      ) : null}
    </div>
  );
}

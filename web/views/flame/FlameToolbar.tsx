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
import { Select } from '../common/Select';
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
  field: RefObject<HTMLInputElement | null>;
  onProfile: (profile: string) => void;
  onHit: (by: number) => void;
}

/** The forms that sections and chunks narrow. */
const treeModes: ReadonlySet<FlameMode> = new Set(['own', 'icicle', 'time', 'inverted', 'tree']);

/** Which tree, which view of it, search. */
export function FlameToolbar(props: FlameToolbarProps) {
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
    </div>
  );
}

/** Colours; and where leaves are Dask's, what becomes of them. */
export function FlameChoices({ uncounted }: { uncounted: boolean }) {
  const { colour, leaves } = flame.value;
  return (
    <>
      <Select
        named
        label="Colour"
        options={flameColours}
        value={colour}
        onChange={(chosen) => setFlame({ colour: chosen })}
        testId="flame-colour"
      />
      {uncounted ? (
        <Select
          named
          label="Self time"
          options={leafChoices}
          value={leaves}
          onChange={(chosen) => setTree({ leaves: chosen })}
          testId="flame-leaves"
        />
      ) : null}
    </>
  );
}

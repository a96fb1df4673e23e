import type { RefObject } from 'preact';
import type { Table } from '../../engine/table';
import { count, percent } from '../../plot/format';
import {
  type FlameMode,
  flame,
  flameColours,
  flameModes,
  leafChoices,
  setFlame,
  setTree,
} from '../../state/flame';
import { useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { ownKeys } from '../../ui/keys';
import type { FlameBoxes } from '../common/flame/flameBoxes';
import { Segmented } from '../common/Segmented';
import { optionsOf, Select } from '../common/Select';
import { ProfileSelect } from './ProfileSelect';

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
    <div class="toolbar row flame-toolbar">
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

/** Only the samples of one section of process(), where samples say in which they were taken. */
function SectionSelect() {
  const { table } = useAnswer('sections');
  const names = Array.from(
    { length: table?.rows ?? 0 },
    (_, row) => table?.text('name', row) ?? '',
  );
  const [first = ''] = names;
  // the core refuses where no sample knows its section
  const asked = useAnswer(first ? 'flame' : '', {}, { section: first, min_fraction: 1 });
  const { section } = flame.value;
  if (!asked.table && !section) return null;
  return (
    <Select
      named
      label="Section"
      options={optionsOf(names, 'all')}
      value={section}
      onChange={(chosen) => setTree({ section: chosen, selected: '' })}
      testId="flame-section"
    />
  );
}

interface SearchBoxProps {
  field: RefObject<HTMLInputElement | null>;
  boxes: FlameBoxes | undefined;
  /** goes to the next (1) or previous (-1) box that matches */
  onStep: (by: number) => void;
  error: string;
}

/**
 * Text or expression in name and file, how much of the whole it covers, and steps from hit to hit.
 */
function SearchBox({ field, boxes, onStep, error }: SearchBoxProps) {
  const { search, regex } = flame.value;
  const matched = boxes?.table.notes.matched_total;
  const hits = boxes?.table.notes.matched_boxes;
  return (
    <div class={error ? 'search-box search-wrong' : 'search-box'}>
      <input
        ref={field}
        type="search"
        aria-label="Search name or file"
        placeholder="Search name or file"
        data-testid="flame-search"
        title={error}
        value={search}
        onInput={(event) => setFlame({ search: event.currentTarget.value })}
        onKeyDown={ownKeys({
          Escape: () => {
            setFlame({ search: '' });
            field.current?.blur();
          },
          Enter: (event) => onStep(event.shiftKey ? -1 : 1),
        })}
      />
      {error && search ? (
        <span class="search-count">invalid expression</span>
      ) : search.trim() && typeof matched === 'number' && boxes ? (
        <span class="search-count" data-testid="flame-matched" aria-live="polite">
          {boxes.isFolded && Number(hits) === 0 ? (
            <Button
              class="link-button"
              data-testid="flame-search-all"
              onClick={() => setFlame({ mode: 'icicle' })}
            >
              0 · in all frames ›
            </Button>
          ) : (
            <>
              {count(Number(hits))} · <b>{percent(boxes.total > 0 ? matched / boxes.total : 0)}</b>
            </>
          )}
        </span>
      ) : null}
      <Button
        class={regex ? 'search-regex on' : 'search-regex'}
        aria-pressed={regex}
        title="Regular expression: . * + ? | ( ) ^ $ [a-z] \d \w \s"
        data-testid="flame-regex"
        onClick={() => setFlame({ regex: !regex })}
      >
        .*
      </Button>
      <kbd>/</kbd>
    </div>
  );
}

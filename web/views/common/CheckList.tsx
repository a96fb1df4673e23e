import { useState } from 'preact/hooks';
import { fixed } from '../../plot/format';
import { Button } from '../../ui/Button';

export interface CheckItem {
  id: string;
  label: string;
  /** at the right, small */
  detail: string;
}

export interface CheckListProps {
  title: string;
  items: readonly CheckItem[];
  /** ids; none = all of them */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  testId: string;
}

/** Fewer can be looked over without searching. */
const searchedFrom = 12;
/** More rows than this nobody reads; the search finds the others. */
const rowsAtMost = 200;

/** Names to choose from. No tick means all: then nothing is filtered. */
export function CheckList({ title, items, chosen, onChange, testId }: CheckListProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = wanted
    ? items.filter(
        (item) =>
          item.id.toLowerCase().includes(wanted) || item.label.toLowerCase().includes(wanted),
      )
    : items;
  const ticked = new Set(chosen);
  const toggle = (id: string) => {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    // in the order of the list, so that the same choice is the same link
    const names = items.map((item) => item.id).filter((name) => next.has(name));
    onChange(names.length === items.length ? [] : names);
  };
  return (
    <fieldset class="check-list" data-testid={testId}>
      <legend>
        {title}{' '}
        <span class="muted check-total">
          {chosen.length === 0 ? `all ${fixed(items.length, 0)}` : ''}
        </span>
        {chosen.length > 0 ? (
          <Button class="link check-total" onClick={() => onChange([])}>
            all {fixed(items.length, 0)}
          </Button>
        ) : null}
      </legend>
      {items.length > searchedFrom ? (
        <input
          type="search"
          placeholder={`Search ${fixed(items.length, 0)} names`}
          aria-label={`Search ${title}`}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
          data-testid={`${testId}-search`}
        />
      ) : null}
      <div class="check-rows">
        {found.slice(0, rowsAtMost).map((item) => (
          <label class="check-row" key={item.id} title={item.id}>
            <input type="checkbox" checked={ticked.has(item.id)} onChange={() => toggle(item.id)} />
            <span class="check-label cut">{item.label}</span>
            <span class="muted">{item.detail}</span>
          </label>
        ))}
      </div>
      {found.length > rowsAtMost ? (
        <p class="muted">and {fixed(found.length - rowsAtMost, 0)} more; type to search</p>
      ) : null}
      {found.length === 0 ? <p class="muted">no name contains “{search.trim()}”</p> : null}
    </fieldset>
  );
}

import { useState } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { count } from '../../plot/format';
import { ownKeys } from '../../ui/keys';
import { Menu } from '../../ui/Menu';
import { MenuLine } from '../../ui/MenuItem';

export interface ProfileSelectProps {
  profiles: Table;
  value: string;
  /** what "all" is now, where a filter narrows it */
  narrowed: string;
  onChange: (profile: string) => void;
}

const filterFrom = 8;
const mostShown = 200;

/** Which call tree: all workers merged, one of them, or another source of the same samples. */
export function ProfileSelect({ profiles, value, narrowed, onChange }: ProfileSelectProps) {
  const [filter, setFilter] = useState('');
  const label = (row: number) =>
    row === 0 && narrowed
      ? narrowed
      : (profiles.text('label', row) ?? profiles.text('profile', row) ?? '');
  const kindOf = (row: number) => (row === 0 ? '' : (profiles.text('kind', row) ?? ''));
  const total = (row: number) =>
    `${count(profiles.number('total', row))} ${profiles.text('unit', row) ?? ''}`;
  const wanted = filter.trim().toLowerCase();
  const rows = Array.from({ length: profiles.rows }, (_, row) => row).filter((row) =>
    `${label(row)} ${profiles.text('profile', row) ?? ''}`.toLowerCase().includes(wanted),
  );
  const at = Math.max(0, profiles.rowOf('profile', value));
  const choose = (row: number) => {
    setFilter('');
    onChange(profiles.text('profile', row) ?? value);
  };
  const nameOf = (row: number) => `${kindOf(row) === 'worker' ? 'worker ' : ''}${label(row)}`;
  const item = (row: number) => (
    <MenuLine
      key={row}
      title={nameOf(row)}
      detail={total(row)}
      testId="profile-option"
      current={row === at}
      onPress={() => choose(row)}
    />
  );
  const main = rows.filter((row) => profiles.number('alternative', row) !== 1).slice(0, mostShown);
  const others = rows
    .filter((row) => profiles.number('alternative', row) === 1)
    .slice(0, mostShown);
  return (
    <Menu
      button={<span class="cut">{nameOf(at)}</span>}
      buttonClass="button profile-select"
      buttonTestId="profile-select"
      title="Profile (N, P: next, previous)"
      sheetClass="profile-menu"
    >
      {(close) => (
        <>
          {profiles.rows > filterFrom ? (
            <input
              type="search"
              aria-label="Filter profiles"
              placeholder="Filter"
              value={filter}
              ref={(element) => {
                if (!filter) element?.focus();
              }}
              onInput={(event) => setFilter(event.currentTarget.value)}
              onKeyDown={ownKeys({
                Enter: () => {
                  if (rows[0] === undefined) return;
                  close();
                  choose(rows[0]);
                },
              })}
            />
          ) : null}
          {main.map((row) => item(row))}
          {others.length > 0 ? (
            <p class="menu-title">the same samples from another source</p>
          ) : null}
          {others.map((row) => item(row))}
          {main.length === mostShown ? <p class="muted menu-title">filter to see more</p> : null}
          {rows.length === 0 ? <p class="muted menu-title">no such profile</p> : null}
        </>
      )}
    </Menu>
  );
}

/** The profile `step` places from `now` in the order of the list. */
export function neighbourProfile(profiles: Table, now: string, step: number): string {
  const row = Math.max(0, profiles.rowOf('profile', now));
  return profiles.text('profile', (row + step + profiles.rows) % profiles.rows) ?? now;
}

import { count } from '../../charts/format';
import type { Table } from '../../engine/table';

export interface ProfileSelectProps {
  profiles: Table;
  value: string;
  onChange: (profile: string) => void;
}

/** Which call tree: all workers merged, one of them, or another source of the same samples. */
export function ProfileSelect({ profiles, value, onChange }: ProfileSelectProps) {
  const rows = Array.from({ length: profiles.rows }, (_, row) => ({
    id: profiles.text('profile', row) ?? '',
    label: profiles.text('label', row) ?? profiles.text('profile', row) ?? '',
    total: profiles.number('total', row),
    unit: profiles.text('unit', row) ?? '',
    alternative: profiles.number('alternative', row) === 1,
  }));
  const option = (row: (typeof rows)[number]) => (
    <option key={row.id} value={row.id}>
      {row.label} · {count(row.total)} {row.unit}
    </option>
  );
  const others = rows.filter((row) => row.alternative);
  return (
    <select
      class="profile-select"
      aria-label="Profile"
      data-testid="profile-select"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {rows.filter((row) => !row.alternative).map(option)}
      {others.length > 0 ? (
        <optgroup label="the same samples from another source">{others.map(option)}</optgroup>
      ) : null}
    </select>
  );
}

/** The profile `step` places from `now` in the order of the list. */
export function neighbourProfile(profiles: Table, now: string, step: number): string {
  const row = Math.max(0, profiles.rowOf('profile', now));
  return profiles.text('profile', (row + step + profiles.rows) % profiles.rows) ?? now;
}

import { signal } from '@preact/signals';
import { recall, remember } from './storage';

/** A run that was open once: its name and when it was recorded, nothing of what is in it. */
export interface Recent {
  title: string;
  /** "2025-12-16 14:02", '' when unknown */
  started: string;
  /** where it was opened from, when that was an address */
  url?: string;
}

const key = 'recent';
const keptAtMost = 6;

const isRecent = (value: unknown): value is Recent => {
  if (typeof value !== 'object' || value === null) return false;
  const { title, started, url } = value as Record<string, unknown>;
  return (
    typeof title === 'string' &&
    typeof started === 'string' &&
    (url === undefined || typeof url === 'string')
  );
};

function stored(): Recent[] {
  try {
    const list: unknown = JSON.parse(recall(key) ?? '[]');
    return Array.isArray(list) ? list.filter(isRecent).slice(0, keptAtMost) : [];
  } catch {
    return [];
  }
}

/** Latest first. */
export const recents = signal<Recent[]>(stored());

export function rememberRuns(fresh: readonly Recent[]): void {
  const same = (a: Recent, b: Recent) => a.title === b.title && a.started === b.started;
  const before = recents.value.filter((old) => !fresh.some((run) => same(run, old)));
  recents.value = [...fresh, ...before].slice(0, keptAtMost);
  remember(key, JSON.stringify(recents.value));
}

export function forgetRecents(): void {
  recents.value = [];
  remember(key, '[]');
}

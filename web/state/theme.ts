import { effect, signal } from '@preact/signals';
import { recall, remember } from './storage';

export type Theme = 'light' | 'dark';

const preference = window.matchMedia('(prefers-color-scheme: dark)');
const chosen = signal<Theme | undefined>(parseTheme(recall('theme')));

/** What is shown: the user's choice, else what the system prefers. */
export const theme = signal<Theme>(chosen.value ?? systemTheme());

export function parseTheme(text: string | null | undefined): Theme | undefined {
  return text === 'light' || text === 'dark' ? text : undefined;
}

function systemTheme(): Theme {
  return preference.matches ? 'dark' : 'light';
}

export function setTheme(value: Theme): void {
  chosen.value = value;
  theme.value = value;
  remember('theme', value);
}

export function toggleTheme(): void {
  setTheme(theme.value === 'dark' ? 'light' : 'dark');
}

/** Follows the system while the user has not chosen, and marks the document for the style sheet. */
export function followTheme(): void {
  preference.addEventListener('change', () => {
    if (!chosen.value) theme.value = systemTheme();
  });
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}

import { effect, signal } from '@preact/signals';
import { recall, remember } from './storage';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const preference = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
/**
 * The user's choice, or that of a link or of the page around this one; undefined = as the system
 * is.
 */
export const chosenTheme = signal<Theme | undefined>(parseTheme(recall('theme')));

/** What is shown. */
export const theme = signal<Theme>(chosenTheme.value ?? systemTheme());

export function parseTheme(text: string | null | undefined): Theme | undefined {
  return themes.find((theme) => theme === text);
}

function systemTheme(): Theme {
  return preference?.matches ? 'dark' : 'light';
}

/** Shows `value` without taking it for the user's choice on later visits. */
export function showTheme(value: Theme): void {
  chosenTheme.value = value;
  theme.value = value;
}

export function setTheme(value: Theme): void {
  showTheme(value);
  remember('theme', value);
}

export function toggleTheme(): void {
  setTheme(theme.value === 'dark' ? 'light' : 'dark');
}

/** Follows the system while the user has not chosen, and marks the document for the style sheet. */
export function followTheme(): void {
  preference?.addEventListener('change', () => {
    if (!chosenTheme.value) theme.value = systemTheme();
  });
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}

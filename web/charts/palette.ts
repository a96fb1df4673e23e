/**
 * Colours for canvas, read from the style sheet's tokens: one place says what `--accent` is, in both themes.
 */
import { signal } from '@preact/signals';

let cache = new Map<string, string>();

/** Counts the changes of the style sheet's colours: a component that draws on canvas reads it to be drawn again. */
export const paletteGeneration = signal(0);

export function refreshPalette(): void {
  cache = new Map();
  paletteGeneration.value = paletteGeneration.peek() + 1;
}

/** The colour of a token such as "--accent". Anything that is no token is returned as it is. */
export function colour(token: string): string {
  if (!token.startsWith('--')) return token;
  let value = cache.get(token);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
    cache.set(token, value);
  }
  return value;
}

/** `var(--token)` for SVG and CSS; other colours as they are. */
export const cssColour = (token: string): string => (token.startsWith('--') ? `var(${token})` : token);

function channel(hex: string, begin: number): number {
  const value = Number.parseInt(hex.slice(begin, begin + 2), 16) / 255;
  return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const darkInk = '#1b130a';
const darkInkLuminance = 0.0067;

function luminance(hex: string): number {
  return 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);
}

/** Text on a solid colour: white or near-black, whichever contrasts more. */
export function inkOn(token: string): string {
  const background = colour(token);
  const level = /^#[0-9a-f]{6}$/i.test(background) ? luminance(background) : 0.5;
  const white = 1.05 / (level + 0.05);
  const dark = (level + 0.05) / (darkInkLuminance + 0.05);
  return white > dark ? '#ffffff' : darkInk;
}

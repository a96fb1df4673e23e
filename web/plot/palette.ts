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

/** Red, green and blue of "#rrggbb" or "rgb(…)", 0 … 255; undefined for anything else. */
function channels(text: string): number[] | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex) return hex.slice(1).map((digits) => Number.parseInt(digits, 16));
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(text);
  return parts?.slice(1).map(Number);
}

const darkInk = '#1b130a';
const darkInkLuminance = 0.0067;

function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) =>
    value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Text on a solid colour: white or near-black, whichever contrasts more. */
export function inkOn(token: string): string {
  const background = channels(colour(token));
  const level = background ? luminance(background) : 0.5;
  const white = 1.05 / (level + 0.05);
  const dark = (level + 0.05) / (darkInkLuminance + 0.05);
  return white > dark ? '#ffffff' : darkInk;
}

/**
 * Colours for canvas, read from the style sheet's tokens: one place says what `--accent` is, in
 * both themes.
 */
import { signal } from '@preact/signals';

let cache = new Map<string, string>();

/**
 * Counts the changes of the style sheet's colours: a component that draws on canvas reads it to be
 * drawn again.
 */
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
    const { dataset } = document.documentElement;
    const both = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
    // of both themes as it stands in the style sheet, or of one where its build has chosen
    const [, light, dark] = /^light-dark\((.+), ?(.+)\)$/.exec(both) ?? [];
    value = (dataset.theme === 'dark' ? dark : light) ?? both;
    cache.set(token, value);
  }
  return value;
}

/** `var(--token)` for SVG and CSS; other colours as they are. */
export const cssColour = (token: string): string =>
  token.startsWith('--') ? `var(${token})` : token;

export type Rgb = readonly [red: number, green: number, blue: number];

export const grey: Rgb = [128, 128, 128];

/**
 * Red, green and blue of "#rgb", "#rrggbb" or "rgb(…)", 0 … 255; grey for anything else. d3-color
 * reads these and all other ways to write a colour, in 5 kB of the first script.
 */
export function rgbOf(text: string): Rgb {
  const short = /^#[0-9a-f]{3}$/i.test(text);
  const parts =
    short || /^#[0-9a-f]{6}$/i.test(text)
      ? text.match(short ? /[0-9a-f]/gi : /[0-9a-f]{2}/gi)
      : null;
  if (parts)
    return parts.map((digits) =>
      Number.parseInt(short ? digits + digits : digits, 16),
    ) as unknown as Rgb;
  const [red, green, blue] = (text.startsWith('rgb(') ? (text.match(/[\d.]+/g) ?? []) : []).map(
    Number,
  );
  return red === undefined || green === undefined || blue === undefined ? grey : [red, green, blue];
}

/** The relative luminance that WCAG's contrast is made of. */
function luminance(colours: Rgb): number {
  const [red, green, blue] = colours.map((value) =>
    value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Text on a solid colour: white or black, whichever contrasts more; one of them always has 4.58 : 1,
 * which no near-black would. What is drawn with it is drawn again in another theme.
 */
export function inkOn(token: string): string {
  void paletteGeneration.value;
  return inkOnRgb(rgbOf(colour(token)));
}

export function inkOnRgb(ground: Rgb): string {
  const level = luminance(ground) + 0.05;
  return 1.05 / level > level / 0.05 ? '#ffffff' : '#000000';
}

const sequential = ['--seq-1', '--seq-2', '--seq-3', '--seq-4', '--seq-5'] as const;

/** The ground of a cell of a matrix, pale to strong, with text that is read on it. */
export function heatGround(value: number, top: number): { background: string; color: string } {
  const step = Math.min(sequential.length - 1, Math.floor((value / top) * sequential.length));
  const token = sequential[step] ?? '--seq-1';
  return { background: cssColour(token), color: inkOn(token) };
}

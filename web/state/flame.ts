import { mapped, text } from './codecs';
import { linked } from './parameter';

/** How call trees are shown. */
export const flameModes = [
  { id: 'own', title: 'Your functions' },
  { id: 'icicle', title: 'All frames' },
  { id: 'time', title: 'Time order' },
  { id: 'inverted', title: 'Inverted' },
  { id: 'sandwich', title: 'Sandwich' },
  { id: 'functions', title: 'Functions' },
  { id: 'tree', title: 'Tree' },
  { id: 'workers', title: 'Workers' },
] as const;
export type FlameMode = (typeof flameModes)[number]['id'];

export const leafChoices = [
  {
    id: 'estimated',
    title: 'estimated',
    detail: 'Solid: certain. Hatched: estimated.',
  },
  {
    id: 'forced',
    title: 'certain only',
    detail: 'uncertain time stays “in callees, unresolved”',
  },
  { id: 'counted', title: 'as counted by Dask', detail: 'innermost frames are not counted' },
  {
    id: 'notebook',
    title: 'notebook’s “exclusive”',
    detail: 'count − Σ callees counts as the function’s own',
  },
] as const;
export type LeafChoice = (typeof leafChoices)[number]['id'];

export const flameColours = [
  { id: 'category', title: 'whose code' },
  { id: 'package', title: 'package' },
  { id: 'file', title: 'file' },
  { id: 'name', title: 'name' },
  { id: 'self', title: 'self share' },
] as const;
export type FlameColour = (typeof flameColours)[number]['id'];

/** What the Flame graph shows, and how; all of it is in the permalink. */
export interface FlameState {
  profile: string;
  mode: FlameMode;
  leaves: LeafChoice;
  /** steps of the core's option `transform`, applied in order */
  steps: string[];
  /** libraries whose frames are seen one by one among your functions */
  opened: string[];
  /** only samples in this section of process(), or of this chunk, by its number; '' = all */
  section: string;
  chunk: string;
  colour: FlameColour;
  search: string;
  regex: boolean;
  /** the visible part of the whole, 0 … 1 */
  begin: number;
  end: number;
  /** the pattern of the function in the sandwich; '' = none */
  focus: string;
  /** the key of the selected box; '' = none */
  selected: string;
}

export const plainFlame: FlameState = {
  profile: 'all',
  mode: 'own',
  leaves: 'estimated',
  steps: [],
  opened: [],
  section: '',
  chunk: '',
  colour: 'category',
  search: '',
  regex: false,
  begin: 0,
  end: 1,
  focus: '',
  selected: '',
};

/** How call trees are shown, where it is not the default: JSON. */
export const flame = linked('flame', mapped(text, parseFlameLink, flameLink), plainFlame);

export function setFlame(change: Partial<FlameState>): void {
  flame.value = { ...flame.peek(), ...change };
}

/** Changes that make another tree: what was zoomed into is no longer there. */
export function setTree(change: Partial<FlameState>): void {
  setFlame({ begin: 0, end: 1, ...change });
}

/** Sees the frames of a library one by one, or its runs of frames as one box again. */
export function toggleLibrary(name: string): void {
  const { opened } = flame.peek();
  setFlame({
    opened: opened.includes(name) ? opened.filter((one) => one !== name) : [...opened, name],
    selected: '',
  });
}

/** A text as a step's pattern: a semicolon would end the step. */
export const asPattern = (text: string): string => text.replaceAll(';', '\\;');

export function addStep(step: string): void {
  const { steps, mode } = flame.peek();
  setTree({
    steps: [...steps, step],
    selected: '',
    mode: mode === 'sandwich' || mode === 'workers' ? 'own' : mode,
  });
}

/**
 * Only the samples of that time, in the profile's unit. It is the first step: later ones know no
 * time.
 */
export function keepTime(begin: number, end: number): void {
  const steps = flame.peek().steps.filter((step) => !step.startsWith('range:'));
  setTree({ steps: [`range:${begin}~${end}`, ...steps], selected: '' });
}

/** Takes away one step; those after it stay. */
export function removeStep(index: number): void {
  setTree({ steps: flame.peek().steps.filter((_, at) => at !== index), selected: '' });
}

/** The members that differ from a plain flame graph, as JSON; '' when none does. */
export function flameLink(state: FlameState): string {
  const changed = Object.entries(state).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(plainFlame[name as keyof FlameState]),
  );
  if (changed.length === 0) return '';
  return JSON.stringify(Object.fromEntries(changed));
}

/** Members that are one of some. */
const listed = { mode: flameModes, leaves: leafChoices, colour: flameColours };

/** Reads such a JSON; what it cannot mean is left plain. */
export function parseFlameLink(json: string): FlameState {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    return plainFlame;
  }
  if (typeof given !== 'object' || given === null) return plainFlame;
  const members = given as Record<string, unknown>;
  const understood = Object.entries(plainFlame).map(([name, plain]) => {
    const value = members[name];
    if (Array.isArray(plain) && Array.isArray(value))
      return [name, value.filter((one) => typeof one === 'string')];
    const choices = listed[name as keyof typeof listed];
    const isMeant = choices
      ? choices.some(({ id }) => id === value)
      : typeof value === typeof plain && !Array.isArray(plain);
    return [name, isMeant ? value : plain];
  });
  const state: FlameState = Object.fromEntries(understood);
  const isZoomed = state.begin >= 0 && state.end <= 1 && state.begin < state.end;
  return isZoomed ? state : { ...state, begin: 0, end: 1 };
}

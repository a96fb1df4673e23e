import type { Seconds } from '../engine/engine';
import type { Table } from '../engine/table';
import type { Layer } from '../plot/drawTrack';
import { duration } from '../plot/format';

/** A row of the `phases` question. */
export interface Phase {
  name: string;
  range: readonly [begin: Seconds, end: Seconds];
  /** everything but the steady middle */
  shaded: boolean;
}

export function phasesOf(table: Table | undefined): Phase[] {
  return Array.from({ length: table?.rows ?? 0 }, (_, row) => {
    const name = table?.text('phase', row) ?? '';
    return {
      name,
      range: [table?.number('t0', row) ?? Number.NaN, table?.number('t1', row) ?? Number.NaN],
      shaded: name !== 'steady',
    };
  });
}

const lengthOf = ({ range: [begin, end] }: Phase): Seconds => end - begin;

/** Always told; the others where they are more than this share of the run. */
const told = ['ramp', 'steady', 'drain'];
const toldFrom = 0.03;

/** What of each phase lies between `begin` and `end`; those of which nothing does are left out. */
const cut = (
  phases: readonly Phase[],
  [begin, end]: readonly [begin: Seconds, end: Seconds],
): Phase[] =>
  phases.flatMap((phase) => {
    const range = [Math.max(begin, phase.range[0]), Math.min(end, phase.range[1])] as const;
    return range[1] > range[0] ? [{ ...phase, range }] : [];
  });

/**
 * "ramp 62 ms · steady 68.4 s · drain 527 ms (shaded)": how long the parts of the run were, or of
 * `within` it.
 */
export function phasesText(
  all: readonly Phase[],
  within?: readonly [begin: Seconds, end: Seconds],
): string {
  const phases = within ? cut(all, within) : all;
  const whole = phases.reduce((sum, phase) => sum + lengthOf(phase), 0);
  const shown = phases.filter(
    (phase) => told.includes(phase.name) || lengthOf(phase) > toldFrom * whole,
  );
  const texts = shown.map((phase) => `${phase.name} ${duration(lengthOf(phase))}`);
  const shade = shown.some((phase) => phase.shaded) ? ' (shaded)' : '';
  return texts.length > 0 ? `${within ? 'selected: ' : ''}${texts.join(' · ')}${shade}` : '';
}

/** "steady 1 min 8.4 s, the rest shaded": in few words, what `phasesText` says in full. */
export function steadyText(
  all: readonly Phase[],
  within?: readonly [begin: Seconds, end: Seconds],
): string {
  const phases = within ? cut(all, within) : all;
  const steady = phases.find((phase) => phase.name === 'steady');
  if (!steady) return phasesText(all, within);
  const rest = phases.length > 1 ? ', the rest shaded' : '';
  return `${within ? 'selected: ' : ''}steady ${duration(lengthOf(steady))}${rest}`;
}

/** The shade behind every track: all phases but the steady one. */
export const phaseShade = (phases: readonly Phase[]): Layer => ({
  kind: 'shade',
  ranges: phases.filter((phase) => phase.shaded).map((phase) => phase.range),
  colour: '--surface-2',
});

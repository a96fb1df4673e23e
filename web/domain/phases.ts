import type { Seconds } from '../engine/engine';
import type { Row } from '../engine/table';
import type { Layer } from '../plot/drawTrack';
import { duration } from '../plot/format';

export type Phase = Row<'phases'>;

/** Everything but the steady middle is shaded. */
export const isShaded = ({ phase }: Phase): boolean => phase !== 'steady';

export const lengthOf = ({ t0, t1 }: Phase): Seconds => t1 - t0;

/** Always told; the others where they are more than this share of the run. */
const told = ['ramp', 'steady', 'drain'];
const toldFrom = 0.03;

/** What of each phase lies between `begin` and `end`; those of which nothing does are left out. */
const cut = (
  phases: readonly Phase[],
  [begin, end]: readonly [begin: Seconds, end: Seconds],
): Phase[] =>
  phases.flatMap((phase) => {
    const [t0, t1] = [Math.max(begin, phase.t0), Math.min(end, phase.t1)];
    return t1 > t0 ? [{ ...phase, t0, t1 }] : [];
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
    (phase) => told.includes(phase.phase) || lengthOf(phase) > toldFrom * whole,
  );
  const texts = shown.map((phase) => `${phase.phase} ${duration(lengthOf(phase))}`);
  const shade = shown.some(isShaded) ? ' (shaded)' : '';
  return texts.length > 0 ? `${within ? 'selected: ' : ''}${texts.join(' · ')}${shade}` : '';
}

/** "steady 1 min 8.4 s, the rest shaded": in few words, what `phasesText` says in full. */
export function steadyText(
  all: readonly Phase[],
  within?: readonly [begin: Seconds, end: Seconds],
): string {
  const phases = within ? cut(all, within) : all;
  const steady = phases.find((phase) => phase.phase === 'steady');
  if (!steady) return phasesText(all, within);
  const rest = phases.length > 1 ? ', the rest shaded' : '';
  return `${within ? 'selected: ' : ''}steady ${duration(lengthOf(steady))}${rest}`;
}

/** The shade behind every track: all phases but the steady one. */
export const phaseShade = (phases: readonly Phase[]): Layer => ({
  kind: 'shade',
  ranges: phases.filter(isShaded).map(({ t0, t1 }) => [t0, t1] as const),
  colour: '--surface-2',
});

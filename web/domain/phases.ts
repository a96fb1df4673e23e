import type { Row } from '../engine/table';
import type { Layer } from '../plot/drawTrack';
import { duration } from '../plot/format';

export type Phase = Row<'phases'>;

/** Everything but the steady middle is shaded. */
export const isShaded = ({ phase }: Phase): boolean => phase !== 'steady';

/** Always told; the others where they are more than this share of the run. */
const told = ['ramp', 'steady', 'drain'];
const toldFrom = 0.03;

/**
 * "ramp 62 ms · steady 68.4 s · drain 527 ms (shaded)": how long the parts of the run were, or of
 * the selected time.
 */
export function phasesText(phases: readonly Phase[], selected: boolean): string {
  const shown = phases.filter(({ phase, share }) => told.includes(phase) || share > toldFrom);
  const texts = shown.map(({ phase, seconds }) => `${phase} ${duration(seconds)}`);
  const shade = shown.some(isShaded) ? ' (shaded)' : '';
  return texts.length > 0 ? `${selected ? 'selected: ' : ''}${texts.join(' · ')}${shade}` : '';
}

/** "steady 1 min 8.4 s": in few words, what `phasesText` says in full. */
export function steadyText(phases: readonly Phase[], selected: boolean): string {
  const steady = phases.find((phase) => phase.phase === 'steady');
  if (!steady) return phasesText(phases, selected);
  return `${selected ? 'selected: ' : ''}steady ${duration(steady.seconds)}`;
}

/** The shade behind every track: all phases but the steady one. */
export const phaseShade = (phases: readonly Phase[]): Layer => ({
  kind: 'shade',
  ranges: phases.filter(isShaded).map(({ t0, t1 }) => [t0, t1] as const),
  colour: '--surface-2',
});

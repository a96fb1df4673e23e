import type { Layer } from '../../charts/drawTrack';
import type { Phase } from '../summary/phases';

/** The shade behind every track: all phases but the steady one. */
export const phaseShade = (phases: readonly Phase[]): Layer => ({
  kind: 'shade',
  ranges: phases.filter((phase) => phase.shaded).map((phase) => phase.range),
  colour: '--surface-2',
});

import { factOf } from '../../domain/facts';
import { type CoreTimeScale, coreTimeScale } from '../../plot/format';
import { useAnswer } from '../../state/useAnswer';

/** The one unit in which panels print core-time: that of all that the run had. */
export function useCoreTimeScale(): CoreTimeScale {
  const { table } = useAnswer('summary');
  return coreTimeScale((table && factOf(table, 'core_seconds_available')?.value) ?? 0);
}

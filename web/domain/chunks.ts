import type { Selection } from '../engine/engine';
import { noteNumber } from '../engine/table';
import { type Answer, useAnswer } from '../state/useAnswer';
import { useMadeOf } from '../ui/madeOf';
import { factOf } from './facts';

/** All chunks of the run with all that is known of them: a row is a chunk's number. */
export const useAllChunks = () => useAnswer('chunks');

/** The numbers of those that a selection leaves; `isAsked`: not of all. */
const useNumbers = (of: Selection, isAsked: boolean) =>
  useAnswer(isAsked ? 'chunks' : '', of, { columns: 'chunk,early' });

/** Those that a selection leaves, with all that is known of them. */
export function useChunks(of: Selection): Answer<'chunks'> {
  const all = useAllChunks();
  const left = useNumbers(of, Object.keys(of).length > 0);
  const pick = () =>
    left.table ? all.table?.picked(left.table.numbers('chunk'), left.table.notes) : all.table;
  const table = useMadeOf(left.table, 'chunks', pick, [all.table]);
  return { table, error: all.error ?? left.error, pending: all.pending || left.pending };
}

/** What a selection leaves of the run; NaN what is not known. */
export interface Left {
  chunks: number;
  events: number;
  /** [core-s]; of chunks those inside process(): what was available has no such owner */
  seconds: number;
  ofChunks: boolean;
  pending: boolean;
}

export function useLeft(of: Selection): Left {
  const ofChunks = Boolean(of.datasets || of.files || of.hosts || of.ranges);
  const numbers = useNumbers(of, ofChunks);
  const summary = useAnswer(ofChunks ? '' : 'summary', of);
  const fact = (id: string) => (summary.table && factOf(summary.table, id)?.value) ?? Number.NaN;
  const { table } = numbers;
  const chunks = ofChunks ? (table?.rows ?? Number.NaN) : fact('num_chunks');
  return {
    chunks,
    events: ofChunks ? noteNumber(table, 'events') : fact('total_events'),
    seconds: !ofChunks
      ? fact('core_seconds_available')
      : chunks === 0
        ? 0
        : noteNumber(table, 'seconds'),
    ofChunks,
    pending: numbers.pending || summary.pending,
  };
}

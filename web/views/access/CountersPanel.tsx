import { fullSentence, sentenceCase } from '../../domain/sentenceCase';
import { rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { bytes, percent } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { noteText, Panel } from '../common/Panel';

const colours: Record<string, string> = {
  report: '--ph-process',
  chunks: '--ph-process',
  files: '--c6',
  'memory-read': '--act-other',
};

/** The counters of bytes side by side, and what one explains of another. */
export function CountersPanel({ wide }: { wide: boolean }) {
  const answer = useAnswer(activeRunId.value, 'bytes', selection.value);
  const { table } = answer;
  const explained = table?.notes.explained;
  const missing = noteText(answer, 'missing');
  // the chunks hold zeros that are known to be wrong
  const absence = (id: string) =>
    missing && (id === 'chunks' || id === 'outside') ? 'not collected' : 'not recorded';
  return (
    <Panel
      title="Bytes read, by counter"
      subtitle={
        typeof explained === 'number' && Number.isFinite(explained)
          ? `${percent(explained)} of coffea’s bytes in chunks`
          : ''
      }
      answer={answer}
      className={wide ? 'span-4' : 'span-3'}
      testId="counters"
    >
      {table ? (
        <BarRows
          rows={rowsOf(table).map((row) => ({
            id: row.id,
            label: row.label,
            value: row.bytes > 0 ? row.bytes : 0,
            colour: colours[row.id] ?? '--ph-outside',
            hatched: row.id === 'outside',
            texts: [Number.isFinite(row.bytes) ? bytes(row.bytes) : absence(row.id)],
            tooltip: () => sentenceCase(row.meaning),
          }))}
          label="Counters of bytes"
          testId="counter"
        />
      ) : null}
      {[missing, noteText(answer, 'selection')].filter(Boolean).map((sentence) => (
        <p class="muted small" key={sentence}>
          {fullSentence(sentence)}
        </p>
      ))}
    </Panel>
  );
}

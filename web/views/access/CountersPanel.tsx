import { fullSentence, sentenceCase } from '../../domain/sentenceCase';
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
export function CountersPanel() {
  const answer = useAnswer(activeRunId.value, 'bytes', selection.value);
  const { table } = answer;
  const rows = Array.from({ length: table?.rows ?? 0 }, (_, row) => row);
  const amounts = table?.numbers('bytes') ?? new Float64Array();
  const most = Math.max(0, ...rows.map((row) => amounts[row] ?? 0).filter(Number.isFinite));
  const explained = table?.notes.explained;
  const missing = noteText(answer, 'missing');
  // the chunks hold zeros that are known to be wrong
  const absence = (id: string) =>
    missing && (id === 'chunks' || id === 'outside') ? 'not collected' : 'not recorded';
  return (
    <Panel
      title="Who counts what"
      subtitle={
        typeof explained === 'number' && Number.isFinite(explained)
          ? `${percent(explained)} by chunks`
          : ''
      }
      answers={[answer]}
      twin={table}
      className="span-3"
      testId="counters"
    >
      {table ? (
        <BarRows
          rows={rows.map((row) => {
            const value = amounts[row] ?? Number.NaN;
            const id = table.text('id', row) ?? '';
            return {
              id,
              label: table.text('label', row) ?? '',
              share: most > 0 && value > 0 ? value / most : 0,
              colour: colours[id] ?? '--ph-outside',
              hatched: id === 'outside',
              texts: [Number.isFinite(value) ? bytes(value) : absence(id)],
              tooltip: () => sentenceCase(table.text('meaning', row) ?? ''),
            };
          })}
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

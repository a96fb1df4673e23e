import { signal } from '@preact/signals';
import { sectionTitle } from '../../domain/columns';
import { type Row, rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { count, duration, listed, significant } from '../../plot/format';
import { selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { noteText, Panel } from '../common/Panel';
import { shortPath } from '../common/PathText';
import { Snippet } from '../common/Snippet';

/** The one that was clicked in the list; else the slowest one for its size is shown. */
export const chosenChunk = signal<number | undefined>(undefined);

type Part = Row<'chunk'>;

/** One chunk against its like: what it did longer, and what was as usual. */
export function ChunkPanel() {
  const chosen = chosenChunk.value;
  const answer = useAnswer('chunk', selection.value, chosen === undefined ? {} : { chunk: chosen });
  const { table } = answer;
  const number = Number(table?.notes.chunk ?? Number.NaN);
  const { table: facts } = useAnswer(
    Number.isFinite(number) ? 'chunks' : '',
    { ranges: [{ column: 'chunk', lo: number, hi: number }] },
    { columns: 'chunk,dataset,file,entry_start,entry_stop,events' },
  );
  const [chunk] = rowsOf(facts);
  const parts = rowsOf(table);
  const whole = parts.find(({ kind }) => kind === 'process');
  const sections = parts.filter(({ kind }) => kind === 'section' || kind === 'unaccounted');
  const compared = parts.filter(({ kind }) => kind in comparedText);
  const isKnown = chunk !== undefined && whole !== undefined;
  return (
    <Panel
      title={chosen === undefined ? 'Slowest chunk for its size' : `Chunk ${count(number)}`}
      subtitle={isKnown ? listed([chunk.dataset, `${count(chunk.events)} events`]) : ''}
      answers={[answer]}
      data={table}
      className="span-4"
      testId="chunk"
    >
      {isKnown ? (
        <>
          <p class="cut" title={chunk.file}>
            <b>{shortPath(chunk.file) || `chunk ${count(chunk.chunk)}`}</b>
            {Number.isFinite(chunk.entry_start)
              ? `, events ${count(chunk.entry_start)} to ${count(chunk.entry_stop)}`
              : ''}
          </p>
          <p data-testid="chunk-verdict">
            <b>{duration(whole.seconds)}</b>
            {Number.isFinite(whole.usual)
              ? ` instead of ${duration(whole.usual)}: ${significant(whole.times)} times as long as expected`
              : ' in process(); too few chunks of its dataset to expect anything'}
            .
          </p>
          <BarRows
            rows={sections.map((part) => ({
              id: `${part.kind}-${part.name}`,
              label: sectionTitle(part.name),
              value: part.seconds,
              usual: part.usual,
              colour: '--ph-process',
              hatched: part.kind === 'unaccounted',
              texts: [timesText(part), duration(part.seconds)],
            }))}
            heads={sections.length > 0 ? ['\u00d7 usual', 'seconds'] : []}
            label="Sections of the chunk; lines: the median of its dataset"
            testId="chunk-section"
            maxHeight={210}
          />
          <ul class="plain-list small muted" data-testid="chunk-compared">
            {compared.map((part) => (
              <li key={part.kind}>{comparedText[part.kind]?.(part)}</li>
            ))}
          </ul>
          {Number.isFinite(chunk.entry_start) && chunk.file ? (
            <Snippet code={codeOf(chunk)} />
          ) : null}
        </>
      ) : (
        <p class="missing">{table ? noteText(answer, 'missing') : '\u00a0'}</p>
      )}
    </Panel>
  );
}

const timesText = ({ times }: Part): string =>
  Number.isFinite(times) ? `\u00d7 ${significant(times, 2)}` : '\u2013';

const others = ({ others: n, times }: Part, whose: string): string =>
  `${whose}: ${count(n)} other ${n === 1 ? 'chunk' : 'chunks'} took ${significant(times, 2)} times what is expected (median)`;

const comparedText: Readonly<Record<string, (part: Part) => string>> = {
  file: (part) => others(part, 'Its file'),
  worker: (part) => others(part, 'Its worker'),
  moment: (part) => others(part, 'At the same time'),
  bytes: ({ times }) => `It read ${significant(times, 2)} times as many bytes per event as usual`,
};

/** Reads those events alone (coffea's NanoEventsFactory). */
const codeOf = ({ file, entry_start: from, entry_stop: to }: Row<'chunks'>): string =>
  [
    `events = NanoEventsFactory.from_root({${JSON.stringify(file)}: "Events"},`,
    `    entry_start=${from}, entry_stop=${to}).events()`,
  ].join('\n');

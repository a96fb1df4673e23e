import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Row, rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { count, percent } from '../../plot/format';
import { useSize } from '../../plot/useSize';
import { following } from '../../state/following';
import { activeRun } from '../../state/runs';
import { useAnswer } from '../../state/useAnswer';
import { Panel } from '../common/Panel';

/** Lines under a heading; the rest is in the panel's table. */
const mostLines = 4;

/** What fails, what is idle, and what findings cost if it goes on. */
function NowLines({ rows }: { rows: readonly Row<'now'>[] }) {
  const parts = [...new Set(rows.map(({ part }) => part ?? ''))];
  const [box, width] = useSize<HTMLDivElement>('next frame');
  const held = useRef(width);
  // lines come and go; what is below them stays where it is, until they break elsewhere
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    if (held.current !== width) current.style.minHeight = '';
    held.current = width;
    current.style.minHeight = `${current.offsetHeight}px`;
  });
  return (
    <div class="now-lines" ref={box}>
      {parts.map((part) => {
        const own = rows.filter((row) => row.part === part);
        return (
          <section key={part} data-testid={`now-${own[0]?.kind}`}>
            <h3>{part}</h3>
            <ul>
              {own.slice(0, mostLines).map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
            {own.length > mostLines ? <p class="muted">and {own.length - mostLines} more</p> : null}
          </section>
        );
      })}
    </div>
  );
}

/** Of a run that is being recorded, or was followed: how far each dataset is, and how it stands. */
export function ProgressPanel() {
  const run = activeRun.value;
  const isShown = run && (run.running === 1 || following.value.has(run.id));
  const answer = useAnswer(isShown ? 'progress' : '');
  const now = useAnswer(isShown ? 'now' : '');
  const rows = rowsOf(answer.table).filter((row) => row.kind === 'dataset');
  if (!isShown || rows.length === 0) return null;
  const hasPlan = rows.some((row) => row.planned > 0);
  return (
    <Panel title="Progress" answers={[answer, now]} data={answer.table} testId="progress">
      <BarRows
        label="Chunks done of each dataset"
        heads={['chunks done', 'events', 'failures']}
        rows={rows.map((row) => ({
          id: row.dataset ?? '',
          label: row.dataset || 'no dataset',
          scale: row.dataset ?? '',
          value: hasPlan ? row.planned : row.done,
          colour: 'var(--grid)',
          within: [{ value: row.done, colour: 'var(--accent)' }],
          texts: [
            row.planned > 0
              ? `${count(row.done)} of ${count(row.planned)} (${percent(row.share)})`
              : count(row.done),
            count(row.events),
            row.failed > 0 ? count(row.failed) : '–',
          ],
        }))}
      />
      <NowLines key={run.id} rows={rowsOf(now.table)} />
    </Panel>
  );
}

import { type Row, rowsOf } from '../../engine/table';
import type { Finding } from '../../state/finding';
import { useAnswer } from '../../state/useAnswer';

type Looked = Row<'ruled_out'>;

/** What else could have cost as much as a finding says: excluded, open, or never measured. */
export function useRuledOut(finding: Finding): Looked[] {
  const { table } = useAnswer('ruled_out');
  return rowsOf(table).filter(
    ({ place, finding: id }) => place === finding.row && id === finding.id,
  );
}

/** One line each; what was not recorded is one line. */
export function RuledOut({ looked }: { looked: readonly Looked[] }) {
  const unknown = looked.filter(({ state }) => state === 'not recorded');
  return (
    <ul class="ruled-out" data-testid="ruled-out">
      {looked.map(({ state, id, label, text }) =>
        state === 'not recorded' ? null : (
          <li key={id}>
            <span class={state === 'open' ? 'muted' : 'good-mark'}>
              {state === 'open' ? '?' : '✓'}
            </span>
            <span>
              <b>{label}</b>
              {state === 'open' ? ': ' : ' '}
              {text}
            </span>
          </li>
        ),
      )}
      {unknown.length > 0 ? (
        <li class="muted">
          <span>?</span>
          <span>Not recorded: {unknown.map(({ label }) => label).join(', ')}</span>
        </li>
      ) : null}
    </ul>
  );
}

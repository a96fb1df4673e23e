import { count, duration } from '../../plot/format';
import { type Amounts, amountText } from '../common/flame/amounts';
import { useRepeats } from './OwnFunctions';

/** How much there is, and what a sample stands for. */
export function FlameSummary({ notes }: { notes: Record<string, number | string> }) {
  const repeats = useRepeats();
  const source = String(notes.seconds_per_sample_source ?? '');
  const amounts: Amounts = {
    total: Number(notes.total ?? Number.NaN),
    unit: typeof notes.unit === 'string' ? notes.unit : 'samples',
    secondsPerSample: Number(notes.seconds_per_sample ?? Number.NaN),
  };
  const { total, unit, secondsPerSample } = amounts;
  if (!Number.isFinite(total)) return <span class="flame-summary muted">…</span>;
  const how = source.startsWith('calibrated')
    ? ', scaled to task time'
    : source === 'recorded'
      ? ''
      : ' (assumed)';
  return (
    <span class="flame-summary muted">
      <b data-testid="flame-total">
        {unit === 'samples' ? `${count(Math.round(total))} samples` : amountText(amounts, total)}
      </b>
      {unit === 'samples' && Number.isFinite(secondsPerSample) ? (
        <span title={source}>
          {' '}
          <span class="explained">
            = {amountText(amounts, total)} at {duration(secondsPerSample)} per sample{how}
            {repeats ? ', repeated work included' : ''}
          </span>
        </span>
      ) : null}
    </span>
  );
}

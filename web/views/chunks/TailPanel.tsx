import type { NumbersOf } from '../../engine/questions';
import { coreTime, count, duration, listed } from '../../plot/format';
import { selectRanges } from '../../state/ranges';
import { activeRun } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { noteText, Panel } from '../common/Panel';
import { useCoreTimeScale } from '../common/useCoreTimeScale';

/** How the run ended: what its tail cost, and what an ideal order would have given. */
export function TailPanel() {
  // some of the chunks have no tail: what ran beside them is not among them
  const tail = useAnswer('tail');
  const { table } = tail;
  const known = table !== undefined && table.rows > 0;
  const number = (name: NumbersOf<'tail'>) => (known ? table.number(name, 0) : Number.NaN);
  const ideal = number('ideal_end');
  const saved = number('actual_makespan') - number('ideal_makespan');
  const elapsed = activeRun.value?.elapsed ?? Number.NaN;
  const wasted = number('core_seconds_wasted');
  const slow = number('outliers');
  const scale = useCoreTimeScale();
  return (
    <Panel
      title="Last 5 % of the chunks and stragglers"
      subtitle={listed([
        known ? `95 % done at ${duration(number('t95'))}` : '',
        isFiltered.value ? 'of the whole run' : '',
      ])}
      answer={tail}
      testId="tail"
    >
      {known ? (
        <dl class="facts-row">
          <Fact id="tail-length" title="last 5 % took" value={duration(number('length'))} />
          <Fact
            id="tail-wasted"
            title="cores not in process()"
            value={Number.isFinite(wasted) ? coreTime(wasted, scale) : 'not recorded'}
            sub={Number.isFinite(wasted) ? '' : 'needs tracking'}
          />
          <Fact
            id="tail-ideal"
            title="if longest ran first"
            value={Number.isFinite(ideal) ? duration(elapsed - saved) : 'not known'}
            sub={Number.isFinite(ideal) ? `of ${duration(elapsed)}` : 'needs the number of cores'}
            explain="the same chunks and cores, longest chunks first: at most a third longer than the best order"
          />
          <Fact
            id="tail-outliers"
            title="outliers"
            value={count(slow)}
            sub={slow > 0 ? 'select' : ''}
            onClick={
              slow > 0
                ? () => selectRanges(['outlier'], [{ column: 'outlier', lo: 1, hi: 1 }])
                : undefined
            }
          />
        </dl>
      ) : (
        <p class="missing">
          {table ? noteText(tail, 'missing') || 'no chunk in the selection' : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}

interface FactProps {
  id: string;
  title: string;
  value: string;
  sub?: string;
  explain?: string;
  onClick?: (() => void) | undefined;
}

function Fact({ id, title, value, sub = '', explain, onClick }: FactProps) {
  return (
    <div title={explain}>
      <dt class="muted">{title}</dt>
      <dd data-testid={id}>{value}</dd>
      <dd class="fact-note">
        {onClick ? (
          <Button class="link" data-testid={`${id}-select`} onClick={onClick}>
            {sub}
          </Button>
        ) : (
          <span class="muted">{sub || '\u00a0'}</span>
        )}
      </dd>
    </div>
  );
}

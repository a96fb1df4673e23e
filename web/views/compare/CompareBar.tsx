import { dateTime, duration } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import { into } from '../../state/into';
import { choose, type Pair, per, swap } from '../../state/pair';
import { type OpenRun, openRuns } from '../../state/runs';
import { Segmented } from '../common/Segmented';

const startOf = (run: OpenRun): string =>
  dateTime(Number.isFinite(run.started_naive) ? run.started_naive : run.started_at);

const optionText = (run: OpenRun): string =>
  [run.title, startOf(run), Number.isFinite(run.elapsed) ? duration(run.elapsed) : '']
    .filter(Boolean)
    .join(' · ');

/** Which two runs, which of them is the baseline, and in what core-time is compared. */
export function CompareBar({ pair }: { pair: Pair }) {
  return (
    <section class="compare-bar" aria-label="Runs that are compared">
      <Side side="a" title="A, baseline" run={pair.a} />
      <button
        type="button"
        class="button"
        data-testid="compare-swap"
        aria-label="Swap A and B"
        title="Swap A and B"
        onClick={swap}
      >
        ⇄
      </button>
      <Side side="b" title="B" run={pair.b} />
      <Segmented
        name="per"
        label="Core-time is compared"
        options={[
          { id: 'absolute', title: 'absolute' },
          { id: 'million_events', title: 'per million events' },
          { id: 'share', title: 'share' },
        ]}
        value={per.value}
        onChange={into(per)}
      />
      <ul class="legend compare-legend">
        <li>
          <Swatch colour="--div-less" />B less
        </li>
        <li>
          <Swatch colour="--div-more" />B more
        </li>
        <li>
          <Swatch colour="--div-equal" />
          within noise; pale: noise unknown
        </li>
      </ul>
    </section>
  );
}

function Side({ side, title, run }: { side: 'a' | 'b'; title: string; run: OpenRun }) {
  return (
    <label class="compare-side">
      <b class={`side-${side}`}>{side.toUpperCase()}</b>
      <select
        class="select"
        aria-label={title}
        data-testid={`compare-${side}`}
        value={String(run.id)}
        onChange={(event) => choose(side, Number(event.currentTarget.value))}
      >
        {openRuns.value.map((entry) => (
          <option key={entry.id} value={String(entry.id)}>
            {optionText(entry)}
          </option>
        ))}
      </select>
    </label>
  );
}

import { duration, listed } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import { choose, type Pair, per, type Side, swap, toggleReplicate } from '../../state/pair';
import { type OpenRun, openRuns } from '../../state/runs';
import { Button } from '../../ui/Button';
import { Menu } from '../../ui/Menu';
import { Choice } from '../common/Segmented';
import { Select } from '../common/Select';
import { startText } from '../common/selectionText';

const optionText = (run: OpenRun): string =>
  listed([run.title, startText(run), Number.isFinite(run.elapsed) ? duration(run.elapsed) : '']);

/** Which two runs, which of them is the baseline, and in what core-time is compared. */
export function CompareBar({ pair }: { pair: Pair }) {
  return (
    <section class="compare-bar row" aria-label="Compared runs">
      <RunsOfSide side="a" title="A, baseline" pair={pair} />
      <Button
        data-testid="compare-swap"
        aria-label="Swap A and B"
        title="Swap A and B"
        onClick={swap}
      >
        ⇄
      </Button>
      <RunsOfSide side="b" title="B" pair={pair} />
      <Choice
        name="per"
        label="Core-time is compared"
        options={[
          { id: 'absolute', title: 'absolute' },
          { id: 'million_events', title: 'per million events' },
          { id: 'share', title: 'share' },
        ]}
        of={per}
      />
      <ul class="legend small secondary compare-legend">
        <li>
          <Swatch colour="--div-less" />B less
        </li>
        <li>
          <Swatch colour="--div-more" />B more
        </li>
        <li>
          <Swatch colour="--div-equal" />
          within noise; pale: no error estimate
        </li>
      </ul>
    </section>
  );
}

interface RunsOfSideProps {
  side: Side;
  title: string;
  pair: Pair;
}

function RunsOfSide({ side, title, pair }: RunsOfSideProps) {
  return (
    <div class="compare-side">
      <b class={`side-${side}`}>{side.toUpperCase()}</b>
      <Select
        label={title}
        options={openRuns.value.map((run) => ({ id: String(run.id), title: optionText(run) }))}
        value={String(pair[side].id)}
        onChange={(id) => choose(side, Number(id))}
        testId={`compare-${side}`}
      />
      <Replicates side={side} pair={pair} />
    </div>
  );
}

/** More runs of the same code on this side: only they tell how much runs differ by themselves. */
function Replicates({ side, pair }: Omit<RunsOfSideProps, 'title'>) {
  const others = openRuns.value.filter(({ id }) => id !== pair.a.id && id !== pair.b.id);
  if (others.length === 0) return null;
  const more = pair.runs[side].slice(1);
  return (
    <Menu
      plain
      button={more.length > 0 ? `+ ${more.length} more` : 'Replicates…'}
      buttonTestId={`replicates-${side}`}
      title="More runs of the same code: their spread is then measured, not assumed"
      sheetTestId={`replicates-menu-${side}`}
    >
      {() => (
        <fieldset class="check-list">
          <legend>Also {side.toUpperCase()}</legend>
          <div class="check-rows">
            {others.map((run) => (
              <label class="check-row" key={run.id}>
                <input
                  type="checkbox"
                  checked={more.includes(run)}
                  onChange={() => toggleReplicate(side, run.id)}
                  data-testid={`replicate-${side}-${openRuns.value.indexOf(run)}`}
                />
                <span class="check-label cut">{optionText(run)}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </Menu>
  );
}

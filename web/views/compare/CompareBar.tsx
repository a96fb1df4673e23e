import { duration, listed } from '../../plot/format';
import { choose, type Pair, per, type Side, swap, toggleReplicate } from '../../state/pair';
import { type OpenRun, openRuns } from '../../state/runs';
import type { Answer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { Menu } from '../../ui/Menu';
import { tooltipOn } from '../../ui/tooltip';
import { Choice } from '../common/Segmented';
import { Select } from '../common/Select';
import { startText } from '../common/selectionText';
import { type Change, changesOf, valueText } from './changes';

const optionText = (run: OpenRun): string =>
  listed([run.title, startText(run), Number.isFinite(run.elapsed) ? duration(run.elapsed) : '']);

/** Which two runs, which of them is the baseline, and in what core-time is compared. */
export function CompareBar({ pair, answer }: { pair: Pair; answer: Answer<'compare'> }) {
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
          { id: 'absolute', title: 'core-s' },
          { id: 'million_events', title: 'per M events' },
          { id: 'share', title: 'share' },
        ]}
        of={per}
      />
      <Setup answer={answer} />
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

const sideText = (change: Change, side: 'a' | 'b'): string =>
  (side === 'a' ? change.a_text : change.b_text) || valueText(change, change[side]);

const isKnown = (change: Change): boolean => change.a_text !== '' || Number.isFinite(change.a);

const nameOf = ({ label }: Change): string => {
  const [name = ''] = label.split(',');
  return name.charAt(0).toLowerCase() + name.slice(1);
};

/** Their numbers say what work it was. */
const counted = ['setup.files', 'setup.events', 'setup.chunks', 'setup.workers'];

/** What was alike before anything ran, and what was not: it may explain every difference below. */
function Setup({ answer }: { answer: Answer<'compare'> }) {
  const rows = answer.table ? changesOf(answer.table, 'setup') : [];
  const changed = rows.filter(({ noteworthy }) => noteworthy === 1);
  const known = rows.filter((row) => row.noteworthy !== 1 && isKnown(row));
  const unknown = rows.filter((row) => row.noteworthy !== 1 && !isKnown(row));
  const sameText = (row: Change) =>
    counted.includes(row.id) ? `${sideText(row, 'a')} ${nameOf(row)}` : nameOf(row);
  // what says most comes first
  const same = [...known].sort(
    (x, y) => Number(counted.includes(y.id)) - Number(counted.includes(x.id)),
  );
  return (
    <ul class="setup small secondary" data-testid="setup">
      {changed.length > 0 ? (
        <li>
          <b class="setup-chip setup-changed">changed</b>
          <span>
            {changed.map((row, place) => (
              <span
                key={row.id}
                data-testid={`setup-${row.id.replace(/^setup\./, '')}`}
                {...(row.note ? tooltipOn(() => row.note) : {})}
              >
                {place > 0 ? ', ' : ''}
                {nameOf(row)} {sideText(row, 'a')} → {sideText(row, 'b')}
              </span>
            ))}
          </span>
        </li>
      ) : null}
      {same.length > 0 ? (
        <li class="setup-cut" {...tooltipOn(() => same.map(sameText).join(', '))}>
          <b class="setup-chip setup-same">same</b>
          <span class="cut">{same.map(sameText).join(', ')}</span>
        </li>
      ) : null}
      {unknown.length > 0 ? (
        <li class="setup-cut" {...tooltipOn(() => unknown.map(nameOf).join(', '))}>
          <b class="setup-chip setup-unknown">not known</b>
          <span class="cut">{unknown.map(nameOf).join(', ')}</span>
        </li>
      ) : null}
    </ul>
  );
}

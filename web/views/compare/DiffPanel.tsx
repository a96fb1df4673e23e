import { useMemo, useState } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { coreTime, count, listed, percent, significant } from '../../plot/format';
import { paletteGeneration } from '../../plot/palette';
import type { Range } from '../../plot/timeAxis';
import type { DiffWidth } from '../../state/pair';
import { diffWidth, type Pair, per } from '../../state/pair';
import { selection } from '../../state/selection';
import { FlamePane, type OwnLook } from '../common/flame/FlamePane';
import { BoxName } from '../common/flame/FlameTooltip';
import type { FlameBoxes } from '../common/flame/flameBoxes';
import { useFlame } from '../common/flame/useFlame';
import { noteText, Panel } from '../common/Panel';
import { Segmented } from '../common/Segmented';
import { changeLevel, levelColours } from './changeColours';

const widths: { id: DiffWidth; title: string }[] = [
  { id: 'a', title: 'A' },
  { id: 'both', title: 'both' },
  { id: 'b', title: 'B' },
];

const widthTexts: Record<DiffWidth, string> = {
  a: 'as wide as in A',
  both: 'as wide as their mean',
  b: 'as wide as in B',
};

/** The call trees of both runs on one: where B spends more, and where less. */
export function DiffPanel({ pair }: { pair: Pair }) {
  const [visible, setVisible] = useState<Range>([0, 1]);
  const [selected, select] = useState('');
  const options = { per: per.value, width: diffWidth.value, leaves: 'estimated' };
  const answer = useFlame([pair.a.id, pair.b.id], 'flame_diff', selection.value, options, visible);
  const { boxes, overview } = answer;
  const look = useLook();
  const shown = boxes !== undefined && overview !== undefined && boxes.count > 0;
  return (
    <Panel
      title="Differential flame graph"
      subtitle={`boxes ${widthTexts[diffWidth.value]}, colour = change from A to B`}
      answers={[{ table: overview?.table, pending: answer.pending, error: answer.error }]}
      data={overview?.table}
      name="flame-diff"
      testId="flame-diff"
      actions={
        <Segmented
          name="diff-width"
          label="Width of the boxes"
          options={widths}
          value={diffWidth.value}
          onChange={(next) => {
            diffWidth.value = next;
            setVisible([0, 1]);
          }}
        />
      }
    >
      <div class="diff-body">
        {shown ? (
          <FlamePane
            boxes={boxes}
            overview={overview}
            visible={visible}
            onVisible={setVisible}
            selected={selected}
            onSelect={select}
            title="Difference of the call trees"
            testId="diff"
            own={look}
          />
        ) : (
          <p class="missing">
            {noteText({ table: overview?.table, pending: false }, 'missing') || '\u00a0'}
          </p>
        )}
      </div>
      {shown ? <DiffLegend table={boxes.table} /> : null}
    </Panel>
  );
}

function DiffLegend({ table }: { table: Table }) {
  const limits = typeof table.notes.limits === 'string' ? table.notes.limits : '';
  return (
    <div class="diff-legend row">
      <span>B less: ¼ of A</span>
      <span class="diff-scale" aria-hidden="true" />
      <span>4 times A: B more</span>
      <span class="plot-caption tiny muted">
        {listed(
          ['Grey = within the noise of counted samples (±√n).', unitSentence(table), limits],
          ' ',
        )}
      </span>
    </div>
  );
}

function unitSentence(table: Table): string {
  const { unit } = table.notes;
  if (unit === '1') return 'Each run as a share of its own samples.';
  if (unit === 's') return 'In core-s, scaled to the time of tasks.';
  return unit === 's/10⁶ events' ? 'In core-s per million events.' : '';
}

const number = (boxes: FlameBoxes, column: string, box: number): number =>
  boxes.table.has(column) ? boxes.table.number(column, box) : Number.NaN;

function useLook(): OwnLook {
  const generation = paletteGeneration.value;
  return useMemo(() => {
    const colourOf = levelColours();
    return {
      colour: (boxes, box) =>
        colourOf(
          changeLevel(
            number(boxes, 'a', box),
            number(boxes, 'b', box),
            number(boxes, 'noteworthy', box),
          ),
        ),
      tooltip: (boxes, box) => <DiffTooltip boxes={boxes} box={box} />,
    };
  }, [generation]);
}

const signed = (value: number, text: (amount: number) => string): string =>
  `${value < 0 ? '−' : '+'}${text(Math.abs(value))}`;

function DiffTooltip({ boxes, box }: { boxes: FlameBoxes; box: number }) {
  if (boxes.more(box) > 0) return <b>{count(boxes.more(box))} narrow boxes</b>;
  const { unit } = boxes.table.notes;
  const amount = (value: number): string => {
    if (unit === '1') return percent(value);
    if (unit === 's') return coreTime(value);
    return `${significant(value)} ${unit}`;
  };
  const [a, b] = [number(boxes, 'a', box), number(boxes, 'b', box)];
  const [delta, noise] = [number(boxes, 'delta', box), number(boxes, 'noise', box)];
  const change = unit === '1' ? `${signed(100 * delta, significant)} pp` : signed(delta, amount);
  const error = unit === '1' ? `${significant(100 * noise)} pp` : amount(noise);
  return (
    <>
      <BoxName boxes={boxes} box={box} />
      <div>
        A {amount(a)} · B {amount(b)}
      </div>
      <div>
        {change}
        {a > 0 ? ` (${signed(delta / a, percent)})` : ' (only in B)'}
        {b > 0 ? '' : ' (only in A)'}
        {Number.isFinite(noise) ? `, noise ±${error}` : ''}
      </div>
      <div class="muted">click = select, double click = zoom</div>
    </>
  );
}

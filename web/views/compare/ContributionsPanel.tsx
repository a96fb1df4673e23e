import { activityLabel } from '../../domain/activities';
import { sectionTitle } from '../../domain/columns';
import { AxisBar, type AxisRow, AxisRows, endsWithZero } from '../../plot/AxisRows';
import { coreTimeScale, percent, signed, significant } from '../../plot/format';
import type { Answer } from '../../state/answers';
import { changeBy, type DimensionOfChange, dimensionsOfChange } from '../../state/pair';
import { useIsExpanded } from '../../ui/useExpanded';
import { noteText, Panel } from '../common/Panel';
import { Choice } from '../common/Segmented';
import { ChangeTooltip } from './ChangeTooltip';
import {
  type Change,
  dimensionMeasures,
  dimensionTitles,
  perOf,
  perUnits,
  ratioText,
  splitOf,
} from './changes';

/** Bars of so many rows are a list to read, not a picture; the rest is in the table. */
const most = 60;
const height = 330;

/**
 * Along one dimension at a time: what the change is made of, signed, adding up to the dimension's
 * total.
 */
export function ContributionsPanel({ answer }: { answer: Answer }) {
  const { table } = answer;
  const there = dimensionsOfChange.filter((dimension) => table && splitOf(table, dimension));
  // until the answer is there nothing is chosen for the user, who may choose meanwhile
  const by = changeBy.value ?? (table && suited(there));
  const split = table && by && splitOf(table, by);
  const note = noteText(answer, 'not_compared');
  return (
    <Panel
      title="Contributions to the change"
      subtitle={split ? `${perUnits[perOf(split.total)]} ${dimensionMeasures[by]}` : ''}
      answer={answer}
      name="contributions"
      testId="contributions"
    >
      <div class="chart-tools row">
        <Choice
          name="change-by"
          label="By"
          options={dimensionsOfChange.map((id) => ({ id, title: dimensionTitles[id] }))}
          value={by}
          of={changeBy}
        />
      </div>
      {split && by ? (
        <Bars split={split} by={by} />
      ) : (
        <p class="missing contributions-missing" data-testid="contributions-missing">
          {table && by ? missingText(by, note) : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}

/** What the waterfall above does not show first. */
const suited = (there: readonly DimensionOfChange[]): DimensionOfChange =>
  (['section', 'dataset', 'activity', 'own'] as const).find((dimension) =>
    there.includes(dimension),
  ) ?? 'dataset';

const wanted: Record<DimensionOfChange, string> = {
  dataset: 'chunks (the decorator @track_metrics records them)',
  section: 'sections of process() (track_time in the processor records them)',
  activity: 'fine metrics (spans record them)',
  own: 'profiles with samples of your own files, and fine metrics to weight them',
  host: 'chunks with the files they read (the decorator @track_metrics records them)',
  frame: 'profiles, and fine metrics to weight them',
};

/** Only one of the two has it, or neither. */
function missingText(by: DimensionOfChange, note: string): string {
  const own = note.split('; ').find((part) => part.startsWith(groupNames[by]));
  return own ? `Cannot be compared: ${own}.` : `Neither run has ${wanted[by]}.`;
}

/** As the core names them in its note. */
const groupNames: Record<DimensionOfChange, string> = {
  dataset: 'datasets',
  section: 'sections',
  activity: 'activities',
  own: 'your own functions',
  host: 'hosts',
  frame: 'functions',
};

function Bars({ split, by }: { split: { total: Change; parts: Change[] }; by: DimensionOfChange }) {
  const expanded = useIsExpanded();
  const { total, parts } = split;
  const given = perOf(total);
  const isShare = given === 'share';
  const scale = coreTimeScale(Math.max(...parts.map((part) => Math.abs(part.delta)), 0));
  // one unit and one number of digits in a column
  const amount = (value: number): string => {
    if (!Number.isFinite(value)) return '–';
    return signed(significant(isShare ? 100 * value : value / scale.divisor), value);
  };
  const factor = isShare ? 100 : 1 / scale.divisor;
  const unit = isShare ? 'pp' : given === 'absolute' ? scale.unit : 'core-s / 10⁶';
  const shown = parts.slice(0, most);
  const rows = shown.map(
    (part): AxisRow => ({
      id: part.id,
      name: by === 'activity' ? activityLabel(part.label) : sectionTitle(part.label),
      nameId: 'change-name',
      marks: (place) => (
        <AxisBar from={0} to={part.delta * factor} colour={colourOf(part)} place={place} />
      ),
      texts: [amount(part.delta), timesText(part)],
      textId: `change-${part.id}`,
      faint: part.noteworthy === 0,
      tooltip: () => <ChangeTooltip change={part} />,
    }),
  );
  const [lo, hi] = endsWithZero(shown.map((part) => part.delta * factor));
  const rest = parts.length - rows.length;
  return (
    <>
      <AxisRows
        rows={rows}
        lo={lo}
        hi={hi}
        tickText={({ value, label }) => signed(label, value)}
        sum={{ label: total.label, texts: [amount(total.delta), timesText(total)] }}
        heads={[unit, 'B / A']}
        label={sentence(by, total, parts)}
        testId="change"
        maxHeight={expanded ? undefined : height}
      />
      {rest > 0 ? <p class="muted">{rest} smaller changes are in the table (•••)</p> : null}
    </>
  );
}

/** B over A, as beside the steps above. */
const timesText = ({ ratio, note }: Change): string =>
  ratioText(ratio) || (note.startsWith('only in') ? note : '');

/**
 * Strong where it is beyond the noise, pale where that cannot be told, grey where it says nothing.
 */
function colourOf({ noteworthy, delta }: Change): string {
  if (noteworthy === 0) return '--div-equal';
  return `${delta > 0 ? '--div-more' : '--div-less'}${noteworthy === 1 ? '' : '-2'}`;
}

function sentence(by: DimensionOfChange, total: Change, parts: readonly Change[]): string {
  const [first] = parts;
  const share =
    first && total.delta !== 0
      ? `, ${percent(first.delta / total.delta)} of it ${first.label}`
      : '';
  const change = `Change by ${dimensionTitles[by].toLowerCase()}`;
  // parts that lie in each other have no total
  return Number.isFinite(total.delta)
    ? `${change}: ${significant(total.delta)} ${perUnits[perOf(total)]} in all${share}`
    : change;
}

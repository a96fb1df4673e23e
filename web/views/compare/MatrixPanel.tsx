import '../common/Matrix.css';
import { useMemo, useState } from 'preact/hooks';
import { sectionTitle } from '../../domain/columns';
import { coreTimes } from '../../domain/coreTime';
import { type Row, rowsOf } from '../../engine/table';
import { coreTime, signed, significant } from '../../plot/format';
import { inkOnRgb, paletteGeneration, rgbOf } from '../../plot/palette';
import { type Pair, runsOf, sidesOption } from '../../state/pair';
import { selection, toggleName } from '../../state/selection';
import { useAnswerOf } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { tooltipOn } from '../../ui/tooltip';
import { noteText, Panel } from '../common/Panel';
import { withBreaks } from '../common/withBreaks';
import { changeLevel, levelColours } from './changeColours';
import { ratioText } from './changes';

type Cell = Row<'compare_matrix'>;

/** Columns beyond these are in the table (•••). */
const mostSections = 8;
/** Of the largest change: less is no number that helps. */
const negligible = 0.005;

/** Which section of which dataset changed: cells within noise are pale, rows of them folded. */
export function MatrixPanel({ pair }: { pair: Pair }) {
  const answer = useAnswerOf(runsOf(pair), 'compare_matrix', selection.value, sidesOption(pair));
  const { table } = answer;
  const cells = useMemo(() => rowsOf(table), [table]);
  return (
    <Panel
      title="Change by section and dataset"
      subtitle="core-s from A to B; strong colour: differs from the change that all parts share"
      answer={answer}
      name="matrix"
      testId="matrix"
    >
      {cells.length > 0 ? (
        <Matrix cells={cells} />
      ) : (
        <p class="missing">{noteText(answer, 'missing') || '\u00a0'}</p>
      )}
    </Panel>
  );
}

function Matrix({ cells }: { cells: readonly Cell[] }) {
  const [unfolded, setUnfolded] = useState(false);
  const columns = sectionsOf(cells);
  const tiny = negligible * Math.max(...cells.map(({ delta }) => Math.abs(delta) || 0));
  const rows = [...new Set(cells.map(({ dataset }) => dataset))];
  const told = (dataset: string) =>
    cells.some((cell) => cell.dataset === dataset && cell.noteworthy === 1);
  const folded = rows.filter((dataset) => dataset !== '' && !told(dataset));
  // one row more is shorter than a line that says so
  const isFolded = !unfolded && folded.length > 1;
  const shown = isFolded ? rows.filter((dataset) => !folded.includes(dataset)) : rows;
  const names = shown.filter((dataset) => dataset !== '');
  // of one dataset the sums are its own
  const withSums = rows.length > 2 && rows.includes('');
  const row = (dataset: string) => (
    <tr key={dataset}>
      <th scope="row">
        {dataset ? (
          <Button class="bar-name cut" onClick={() => toggleName('datasets', dataset)}>
            {dataset}
          </Button>
        ) : (
          <b>all datasets</b>
        )}
      </th>
      {columns.map((section) => (
        <MatrixCell
          key={section}
          cell={cells.find((cell) => cell.dataset === dataset && cell.section === section)}
          tiny={tiny}
        />
      ))}
    </tr>
  );
  return (
    <div class="matrix-box">
      <table class="matrix with-sums">
        <thead>
          <tr>
            <td />
            {columns.map((section) => (
              <th key={section} scope="col" title={section}>
                {section === '' ? <b>process()</b> : withBreaks(sectionTitle(section))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map(row)}
          {isFolded ? (
            <tr>
              <td colSpan={columns.length + 1}>
                <Button class="link" data-testid="matrix-unfold" onClick={() => setUnfolded(true)}>
                  {folded.length} datasets without a change beyond noise: show them
                </Button>
              </td>
            </tr>
          ) : null}
          {withSums ? row('') : null}
        </tbody>
      </table>
    </div>
  );
}

/** Those that changed most, and all of process() last. */
function sectionsOf(cells: readonly Cell[]): string[] {
  const sections = [...new Set(cells.map(({ section }) => section))].filter(Boolean);
  const sums = cells.filter(({ dataset }) => dataset === '');
  const change = (section: string) =>
    Math.abs(sums.find((cell) => cell.section === section)?.delta ?? 0);
  const isRest = (section: string) => Number(section === 'unaccounted');
  return [
    ...sections
      .sort((x, y) => isRest(x) - isRest(y) || change(y) - change(x))
      .slice(0, mostSections),
    '',
  ];
}

function MatrixCell({ cell, tiny }: { cell: Cell | undefined; tiny: number }) {
  void paletteGeneration.value;
  if (!cell) return <td class="matrix-none">–</td>;
  const { a, b, delta, noteworthy } = cell;
  const isTold = noteworthy === 1;
  const ground = isTold ? levelColours()(changeLevel(a, b, noteworthy)) : undefined;
  return (
    <td
      class={isTold ? 'matrix-cell' : 'matrix-cell within-noise'}
      style={ground ? { background: ground, color: inkOnRgb(rgbOf(ground)) } : {}}
      data-testid={`cell-${cell.dataset}-${cell.section}`}
      {...tooltipOn(() => cellText(cell))}
    >
      <b>{Math.abs(delta) < tiny ? '≈ 0' : signed(significant(delta), delta)}</b>
      <span>{timesText(cell)}</span>
    </td>
  );
}

const timesText = ({ ratio, b }: Cell): string =>
  ratioText(ratio) || (b > 0 ? 'only in B' : 'only in A');

function cellText(cell: Cell): string {
  const { dataset, section, a, b, beyond_pace, noise, noteworthy } = cell;
  const name = [
    dataset || 'all datasets',
    section ? sectionTitle(section) : 'all of process()',
  ].join(', ');
  const against = Number.isFinite(beyond_pace)
    ? `; relative to the change that all parts share ${signed(coreTime(beyond_pace), beyond_pace)}${Number.isFinite(noise) ? ` ± ${coreTime(noise)}` : ''}`
    : '';
  const said =
    noteworthy === 1 ? 'beyond noise' : noteworthy === 0 ? 'within noise' : 'no error estimate';
  return `${name}: ${coreTimes(a, b).join(' → ')}, ${timesText(cell)}${against}: ${said}`;
}

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
import { levelColours } from './changeColours';
import { ratioText } from './changes';

type Cell = Row<'compare_matrix'>;

/** Columns beyond these are in the table (•••). */
const mostSections = 8;
/** Which section of which dataset changed beyond what all did: hatched is smaller than its error. */
export function MatrixPanel({ pair }: { pair: Pair }) {
  const answer = useAnswerOf(runsOf(pair), 'compare_matrix', selection.value, sidesOption(pair));
  const { table } = answer;
  const cells = useMemo(() => rowsOf(table), [table]);
  return (
    <Panel
      title="Dataset × section"
      subtitle="core-s beyond what all changed alike; hatched: smaller than its error"
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
  const most = Math.max(...cells.map(({ excess }) => Math.abs(excess) || 0));
  const rows = [...new Set(cells.map(({ dataset }) => dataset))];
  const told = (dataset: string) =>
    cells.some((cell) => cell.dataset === dataset && cell.noteworthy === 1);
  const folded = rows.filter((dataset) => dataset !== '' && !told(dataset));
  // one row more is shorter than a line that says so
  const isFolded = !unfolded && folded.length > 1;
  const shown = isFolded ? rows.filter((dataset) => !folded.includes(dataset)) : rows;
  const names = shown.filter((dataset) => dataset !== '');
  // of one dataset the sums are its own
  const withSums = rows.length > 2 && columns[0] !== '';
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
          most={most}
        />
      ))}
    </tr>
  );
  return (
    <div class="matrix-box">
      <table class="matrix">
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
                  {folded.length} datasets without a change beyond their errors: show them
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

/** Those that changed most; all of process() where there are no sections. */
function sectionsOf(cells: readonly Cell[]): string[] {
  const sections = [...new Set(cells.map(({ section }) => section))].filter(Boolean);
  const sums = cells.filter(({ dataset }) => dataset === '');
  const change = (section: string) =>
    Math.abs(sums.find((cell) => cell.section === section)?.excess ?? 0);
  const isRest = (section: string) => Number(section === 'unaccounted');
  const named = sections
    .sort((x, y) => isRest(x) - isRest(y) || change(y) - change(x))
    .slice(0, mostSections);
  return named.length > 0 ? named : [''];
}

function MatrixCell({ cell, most }: { cell: Cell | undefined; most: number }) {
  void paletteGeneration.value;
  if (!cell) return <td class="matrix-none">–</td>;
  const { excess, margin, noteworthy } = cell;
  const isSure = noteworthy === 1;
  const ground = isSure ? levelColours()(levelOf(excess, most)) : undefined;
  return (
    <td
      class={isSure ? 'matrix-cell' : 'matrix-cell matrix-unsure'}
      style={ground ? { background: ground, color: inkOnRgb(rgbOf(ground)) } : {}}
      data-testid={`cell-${cell.dataset}-${cell.section}`}
      {...tooltipOn(() => cellText(cell))}
    >
      <b>{signed(significant(excess, 2), excess)}</b>
      <span>{Number.isFinite(margin) ? `± ${significant(margin, 2)}` : 'cannot tell'}</span>
    </td>
  );
}

/** What is sure is never as pale as nothing. */
const levelOf = (excess: number, most: number): number =>
  Math.sign(excess) * Math.max(0.5, Math.abs(excess) / most);

function cellText(cell: Cell): string {
  const { dataset, section, a, b, ratio, excess, margin, noteworthy } = cell;
  const name = [
    dataset || 'all datasets',
    section ? sectionTitle(section) : 'all of process()',
  ].join(', ');
  const times = ratioText(ratio) || (b > 0 ? 'only in B' : 'only in A');
  const error = Number.isFinite(margin) ? ` ± ${coreTime(margin)}` : '';
  const said =
    noteworthy === 1
      ? ''
      : error
        ? ': smaller than its error'
        : ': another part, or the moment it ran in, explains it as well';
  return `${name}: ${coreTimes(a, b).join(' → ')}, ${times}; beyond what all changed alike ${signed(coreTime(excess), excess)}${error}${said}`;
}

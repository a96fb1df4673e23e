import '../common/Matrix.css';
import { sectionTitle } from '../../domain/columns';
import { useDatasets } from '../../domain/datasetColours';
import { type Row, rowsOf } from '../../engine/table';
import { microseconds } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import { largest } from '../../plot/numbers';
import { heatGround } from '../../plot/palette';
import { markOf } from '../../state/finding';
import { selection, toggleName } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { noteText, Panel } from '../common/Panel';
import { withBreaks } from '../common/withBreaks';
import { distributed } from './DistributionPanel';

type Cell = Row<'sections'>;

/** Columns and rows beyond these are in the table (•••). */
const mostSections = 8;
const mostDatasets = 12;

/** Which section of which dataset costs most per event? */
export function SectionMatrixPanel() {
  const answer = useAnswer('sections', selection.value, { by: 'dataset' });
  const sums = useAnswer('sections', selection.value);
  const { datasets, colourOf } = useDatasets();
  const cells = rowsOf(answer.table).filter(({ seconds }) => Number.isFinite(seconds));
  // those that took most in all
  const sections = rowsOf(sums.table)
    .filter(({ seconds }) => Number.isFinite(seconds))
    .sort((a, b) => Number(isRest(a)) - Number(isRest(b)) || b.seconds - a.seconds)
    .slice(0, mostSections);
  const rows = rowsOf(datasets)
    .map(({ name }) => name)
    .filter((name) => cells.some(({ dataset }) => dataset === name));
  const top = largest(cells.map(({ seconds_per_event: each }) => each));
  const cellOf = (dataset: string, section: Cell) =>
    cells.find(
      (cell) =>
        cell.dataset === dataset && cell.name === section.name && cell.kind === section.kind,
    );
  return (
    <Panel
      title="Dataset and section"
      subtitle={
        noteText(answer, 'overlap')
          ? 'µs per event; sections overlap, so they do not add up'
          : 'µs per event; darker: more'
      }
      answers={[answer, sums]}
      data={answer.table}
      className="span-6"
      testId="section-matrix"
    >
      {cells.length > 0 ? (
        <div class="matrix-box">
          <table class="matrix">
            <thead>
              <tr>
                <td />
                {sections.map((section) => (
                  <th key={`${section.kind}-${section.name}`} scope="col" title={section.name}>
                    <Button
                      class={distributed.value === column(section) ? 'bar-name on' : 'bar-name'}
                      disabled={isRest(section)}
                      onClick={() => {
                        distributed.value =
                          distributed.peek() === column(section) ? 'duration' : column(section);
                      }}
                    >
                      {withBreaks(sectionTitle(section.name))}
                    </Button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, mostDatasets).map((dataset) => (
                <tr key={dataset} class={markOf({ datasets: dataset })}>
                  <th scope="row">
                    <Button class="bar-name cut" onClick={() => toggleName('datasets', dataset)}>
                      <Swatch colour={colourOf(dataset)} />
                      {dataset || 'no dataset'}
                    </Button>
                  </th>
                  {sections.map((section) => {
                    const each = cellOf(dataset, section)?.seconds_per_event ?? Number.NaN;
                    return (
                      <td
                        key={`${section.kind}-${section.name}`}
                        class={each === top ? 'heat most' : 'heat'}
                        style={Number.isFinite(each) ? heatGround(each, top) : {}}
                        data-testid={`each-${dataset}-${section.name}`}
                      >
                        {microseconds(each)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length > mostDatasets ? (
            <p class="muted small">{rows.length - mostDatasets} more in the table (•••)</p>
          ) : null}
        </div>
      ) : (
        <p class="missing">{noteText(answer, 'missing') || '\u00a0'}</p>
      )}
    </Panel>
  );
}

/** What the sections leave of process(). */
const isRest = ({ kind }: Cell): boolean => kind === 'unaccounted';

const column = ({ name }: Cell): string => `section:${name}`;

import type { Answer } from '../../state/useAnswer';
import { Sign } from '../../ui/Sign';
import { tooltipOn } from '../../ui/tooltip';
import { Panel } from '../common/Panel';
import { ChangeTooltip } from './ChangeTooltip';
import { type Change, changesOf, relativeText, valueText } from './changes';

/** What is neither a part of the waterfall nor of the headline. */
const asked = [
  'total_bytes_read',
  'peak_memory_bytes',
  'waiting_fraction',
  'outside_process_per_execution',
];

/** What does not differ, and what would have been missed; what does differ stands first. */
export function AlikePanel({ answer, missed }: { answer: Answer; missed: string }) {
  const { table } = answer;
  const rows = table
    ? changesOf(table, 'summary').filter(
        ({ id, a, b }) => asked.includes(id) && Number.isFinite(a) && Number.isFinite(b),
      )
    : [];
  const of = (alike: string) => rows.filter((row) => row.alike === alike);
  const lines: readonly [sign: 'good' | 'warn' | '', text: string, rows: Change[]][] = [
    ['warn', 'different', of('no')],
    ['good', 'equal', of('equal')],
    ['good', 'equal to 1 %', of('within 1 %')],
    ['good', 'within the spread of runs', of('within noise')],
    ['', 'error not known', of('')],
  ];
  return (
    <Panel title="Not different" answer={answer} data={undefined} name="alike" testId="alike">
      <ul class="alike">
        {lines
          .filter(([, , some]) => some.length > 0)
          .map(([sign, text, some]) => (
            <li key={text}>
              {sign ? <Sign of={sign} /> : <span />}
              <span>
                {some.map((row, place) => (
                  <span key={row.id} {...tooltipOn(() => <ChangeTooltip change={row} />)}>
                    {place > 0 ? ', ' : ''}
                    {row.label.charAt(0).toLowerCase() + row.label.slice(1)}
                    {sign === 'good' ? '' : ` ${sidesText(row)}`}
                  </span>
                ))}
                : {text}
              </span>
            </li>
          ))}
      </ul>
      <p class="secondary" data-testid="missed">
        {missed || '\u00a0'}
      </p>
    </Panel>
  );
}

const sidesText = (row: Change): string =>
  `${valueText(row, row.a)} → ${valueText(row, row.b)} (${relativeText(row)})`;

import { type Row, rowsOf } from '../../engine/table';
import { coreTime, percent, signed, significant } from '../../plot/format';
import { cssColour } from '../../plot/palette';
import type { Answer } from '../../state/useAnswer';
import { tooltipOn } from '../../ui/tooltip';
import { Panel } from '../common/Panel';
import { ratioText } from './changes';

type Cause = Row<'verdict'>;

/** They cut the same change again, or are no part of it. */
const otherCuts = ['own function', 'measured', 'elapsed', 'beside process()'];
/** Where less is wide, the text stands below alone [% of the bar]. */
const roomForText = 16;

/** The change of process() in its parts, which add up to 100 %. */
export function ExplainedPanel({ answer }: { answer: Answer<'verdict'> }) {
  const { table } = answer;
  const causes = rowsOf(table).filter(
    ({ kind, share }) => !otherCuts.includes(kind) && Number.isFinite(share),
  );
  const change = Number(table?.notes.process_change);
  // what explains most stands first; all alike, then what is not explained, last
  const order = (cause: Cause) => ['evenly', 'unexplained'].indexOf(cause.kind);
  const parts = causes
    .filter((cause) => cause.kind !== 'unexplained' || isSeen(cause))
    .sort((x, y) => order(x) - order(y));
  return (
    <Panel
      title="How much is explained"
      subtitle={
        parts.length > 0 ? `of ${signed(coreTime(change), change)} in process(): 100 %` : ''
      }
      answer={answer}
      name="explained"
      testId="explained"
    >
      {parts.length > 0 ? (
        <Bar parts={parts} />
      ) : (
        <p class="missing">
          {table ? 'Chunks of both runs are needed to tell what explains the change.' : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}

/** Rounding leaves something, too. */
const isSeen = ({ share }: Cause): boolean => Math.abs(share) >= 0.0005;

function Bar({ parts }: { parts: readonly Cause[] }) {
  const places = placed(parts);
  const lo = Math.min(0, ...places.map(({ from, to }) => Math.min(from, to)));
  const hi = Math.max(...places.map(({ from, to }) => Math.max(from, to)));
  const place = (value: number) => (100 * (value - lo)) / (hi - lo);
  return (
    <>
      <div class="explained-bar" role="img" aria-label={parts.map(said).join(', ')}>
        {places.map(({ part, from, to }) => {
          const left = place(Math.min(from, to));
          const width = place(Math.max(from, to)) - left;
          return (
            <span
              key={part.label}
              class={lookOf(part)}
              style={{ left: `${left}%`, width: `${width}%`, background: groundOf(part) }}
              {...tooltipOn(() => said(part))}
            >
              {width >= roomForText ? <b>{amount(part)}</b> : null}
            </span>
          );
        })}
      </div>
      <ul class="explained-parts small">
        {parts.map((part) => (
          <li key={part.label}>
            <i class={`swatch ${lookOf(part)}`} style={{ background: groundOf(part) }} />
            <b data-testid="explained-amount">{amount(part)}</b>
            <span>{nameOf(part)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** One after the other; what is negative goes back over the ones before it. */
function placed(parts: readonly Cause[]): { part: Cause; from: number; to: number }[] {
  let reached = 0;
  return parts.map((part) => {
    const from = reached;
    reached += part.share;
    return { part, from, to: reached };
  });
}

const amount = ({ seconds, share }: Cause): string =>
  `${signed(significant(seconds), seconds)} · ${percent(share)}`;

const said = (part: Cause): string =>
  `${nameOf(part)}: ${signed(coreTime(part.seconds), part.seconds)}, ${percent(part.share)}`;

function nameOf({ kind, label, ratio }: Cause): string {
  if (kind === 'evenly') return `all of process() ${ratioText(ratio)}: the machine or common code`;
  return Number.isFinite(ratio) ? `${label}, ${ratioText(ratio)} beyond the rest` : label;
}

const lookOf = ({ kind }: Cause): string => (kind === 'unexplained' ? 'hatched' : '');

/** Told parts are strong, all alike is pale, the rest hatched. */
function groundOf({ kind, seconds }: Cause): string | undefined {
  if (kind === 'unexplained') return undefined;
  const colour = seconds > 0 ? '--div-more' : '--div-less';
  return cssColour(kind === 'evenly' ? `${colour}-2` : colour);
}

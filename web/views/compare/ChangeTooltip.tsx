import { listed } from '../../plot/format';
import { type Change, changeSentence, judgement, relativeText } from './changes';

/** A difference with its noise, and whether it says anything. */
export function ChangeTooltip({ change }: { change: Change }) {
  return (
    <>
      <div>
        <b>{change.label}</b>
      </div>
      <div>{changeSentence(change)}</div>
      <div class="muted">{listed([relativeText(change), judgement(change)])}</div>
      {change.note ? <div class="muted">{change.note}</div> : null}
    </>
  );
}

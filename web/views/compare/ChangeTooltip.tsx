import { type Change, changeSentence, judgement, relativeText } from './changes';

/** A difference with its noise, and whether it says anything. */
export function ChangeTooltip({ change }: { change: Change }) {
  return (
    <>
      <div>
        <b>{change.label}</b>
      </div>
      <div>{changeSentence(change)}</div>
      <div class="muted">
        {[relativeText(change), judgement(change)].filter(Boolean).join(' · ')}
      </div>
      {change.note ? <div class="muted">{change.note}</div> : null}
    </>
  );
}

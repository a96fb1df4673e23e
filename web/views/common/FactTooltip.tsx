import { differs, exactText, type Fact, factParts, factText } from '../../domain/facts';
import { partsText } from '../../plot/format';
import { absentText } from '../../state/runs';
import { isFiltered } from '../../state/selection';

/** What a number is, how it is computed, and what the bundle says where ours differs. */
export function FactTooltip({ fact }: { fact: Fact }) {
  const known = Number.isFinite(fact.value);
  return (
    <>
      <div>
        <b>{fact.label}</b> — {known ? factText(fact) : absentText}
      </div>
      {fact.formula ? <div>{fact.formula}</div> : null}
      {known ? <div class="muted">= {exactText(fact.value, fact.unit)}</div> : null}
      {fact.whole_run === 1 ? <div class="muted">whole run; filter not applied</div> : null}
      {fact.note ? <div class="muted">{fact.note}</div> : null}
      <div class="muted">
        {Number.isFinite(fact.stored)
          ? differs(fact)
            ? `The bundle stores${isFiltered.value ? ', of the whole run,' : ''} ${fact.id} = ${exactText(fact.stored, fact.unit)} (${partsText(factParts(fact, fact.stored))}).`
            : `The bundle stores the same as ${fact.id}.`
          : `id: ${fact.id}`}
      </div>
    </>
  );
}

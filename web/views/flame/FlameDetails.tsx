import { useMemo, useState } from 'preact/hooks';
import { percent } from '../../charts/format';
import { ancestry, childrenOf } from '../../charts/icicleLayout';
import { Swatch } from '../../charts/Legend';
import { cssColour } from '../../charts/palette';
import { amountText, shareText } from './amounts';
import { categoryColour } from './categories';
import { allInstances, type FlameBoxes, placeText, widthOf } from './flameBoxes';

export interface FlameDetailsProps {
  boxes: FlameBoxes;
  /** -1 = nothing is selected */
  box: number;
  onSelect: (box: number) => void;
  onZoom: (box: number) => void;
}

const calleesShown = 8;

/** The selected box: how much, here and everywhere, in which callees, and how it was called. */
export function FlameDetails({ boxes, box, onSelect, onZoom }: FlameDetailsProps) {
  const everywhere = useMemo(() => (box >= 0 ? allInstances(boxes, box) : undefined), [boxes, box]);
  if (box < 0 || !everywhere) {
    const leaves = boxes.table.notes.leaves;
    return (
      <aside class="panel flame-details flame-details-empty" aria-label="Details">
        <h2>Nothing selected</h2>
        <p class="muted">Click a box to see how much it took, what it called and how it was called.</p>
        {typeof leaves === 'string' ? (
          <>
            <h3>Self time</h3>
            <p class="muted">{leaves}</p>
          </>
        ) : null}
      </aside>
    );
  }
  const place = placeText(boxes, box);
  const [selfLow, selfHigh] = boxes.selfBounds(box);
  const callees = childrenOf(boxes.index, box)
    .filter((child) => !boxes.isUnresolved(child))
    .sort((a, b) => boxes.totalOf(b) - boxes.totalOf(a));
  const most = boxes.totalOf(callees[0] ?? -1);
  const stack = ancestry(boxes.index, box);
  return (
    <aside class="panel flame-details" aria-label="Details" data-testid="flame-details">
      <h2>
        {boxes.isUnresolved(box) ? 'in callees, unresolved' : boxes.name(box)}{' '}
        <span class="flame-category">{boxes.category(box)}</span>
      </h2>
      {place ? <p class="mono place">{place}</p> : null}
      <dl class="flame-facts">
        <dt>Total, this box</dt>
        <dd>
          <b data-testid="flame-box-total">{shareText(boxes, boxes.totalOf(box))}</b>{' '}
          <span class="muted">{amountText(boxes, boxes.totalOf(box))}</span>
        </dd>
        <dt>Total, all instances ({everywhere.instances})</dt>
        <dd>
          <b>{percent(everywhere.width)}</b>{' '}
          <span class="muted">{amountText(boxes, everywhere.width * boxes.total)}</span>
        </dd>
        {boxes.isUnresolved(box) ? null : (
          <>
            <dt>Self, certain</dt>
            <dd>
              <b>{shareText(boxes, boxes.selfOf(box))}</b>{' '}
              <span class="muted">{nonZero(boxes, boxes.selfOf(box))}</span>
            </dd>
            {selfHigh > selfLow ? (
              <>
                <dt>Self, bounds</dt>
                <dd>
                  {shareText(boxes, selfLow)} – {shareText(boxes, selfHigh)}
                </dd>
              </>
            ) : null}
            <dt>In callees, unresolved</dt>
            <dd>
              <b>{shareText(boxes, boxes.unresolvedOf(box))}</b>{' '}
              <span class="muted">{nonZero(boxes, boxes.unresolvedOf(box))}</span>
            </dd>
          </>
        )}
      </dl>
      {boxes.isUnresolved(box) ? (
        <p class="muted">
          Spent directly in {boxes.candidates(box) || 'one of the callees'}; in which of them is not known.
        </p>
      ) : null}
      {callees.length > 0 ? <h3>Callees</h3> : null}
      {callees.slice(0, calleesShown).map((callee) => (
        <button
          type="button"
          class="callee"
          key={callee}
          title={placeText(boxes, callee)}
          onClick={() => onSelect(callee)}
        >
          <span>{boxes.name(callee)}</span>
          <span>
            <span
              class="cell-bar"
              style={{
                width: `${most > 0 ? (boxes.totalOf(callee) / most) * 84 : 0}px`,
                background: cssColour(categoryColour(boxes.category(callee))),
              }}
            />
          </span>
          <span>{shareText(boxes, boxes.totalOf(callee))}</span>
        </button>
      ))}
      {callees.length > calleesShown ? <p class="muted">and {callees.length - calleesShown} more</p> : null}
      <h3>Stack, leaf → root</h3>
      {stack.map((frame) => (
        <button
          type="button"
          class="stack-frame"
          key={frame}
          title={placeText(boxes, frame)}
          onClick={() => onSelect(frame)}
        >
          <Swatch colour={categoryColour(boxes.category(frame))} hatched={boxes.isUnresolved(frame)} />
          <b>{boxes.name(frame)}</b>
          {placeText(boxes, frame) ? <span class="mono">{endOf(placeText(boxes, frame))}</span> : null}
        </button>
      ))}
      <div class="details-actions">
        <button type="button" class="button" onClick={() => onZoom(box)} disabled={widthOf(boxes, box) <= 0}>
          Zoom to box
        </button>
        <CopyStack
          text={stack
            .map((frame) => [boxes.name(frame), placeText(boxes, frame)].filter(Boolean).join('  '))
            .join('\n')}
        />
      </div>
    </aside>
  );
}

const nonZero = (boxes: FlameBoxes, amount: number): string => (amount > 0 ? amountText(boxes, amount) : '');

const placeCharacters = 38;

/** The end of a path says which file it is. */
const endOf = (place: string): string =>
  place.length > placeCharacters ? `…${place.slice(1 - placeCharacters)}` : place;

function CopyStack({ text }: { text: string }) {
  const [done, setDone] = useState('');
  const copy = () => {
    const clipboard = navigator.clipboard;
    if (!clipboard) return setDone('Not allowed here');
    clipboard.writeText(text).then(
      () => setDone('Copied'),
      () => setDone('Not allowed here'),
    );
  };
  return (
    <button type="button" class="button" onClick={copy}>
      {done || 'Copy stack'}
    </button>
  );
}

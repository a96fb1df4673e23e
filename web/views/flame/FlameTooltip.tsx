import { percent } from '../../charts/format';
import { amountText, shareText } from './amounts';
import { type FlameBoxes, placeText, widthOf } from './flameBoxes';

/** What a box is and how much of the profile it holds. */
export function FlameTooltip({ boxes, box }: { boxes: FlameBoxes; box: number }) {
  const above = boxes.index.parent[box] ?? -1;
  const total = boxes.totalOf(box);
  if (boxes.isUnresolved(box)) {
    return (
      <>
        <div>
          <b>in callees, unresolved</b>
        </div>
        <div>
          {shareText(boxes, total)} · {amountText(boxes, total)}
        </div>
        <div class="muted">
          Dask does not count the innermost frame of a sample. This time was spent directly in{' '}
          {boxes.candidates(box) || 'one of the callees'}; in which of them is not known.
        </div>
      </>
    );
  }
  const place = placeText(boxes, box);
  const self = boxes.selfOf(box);
  const unresolved = boxes.unresolvedOf(box);
  return (
    <>
      <div>
        <b>{boxes.name(box)}</b>
        {boxes.category(box) ? ` · ${boxes.category(box)}` : ''}
      </div>
      {place ? <div class="mono">{place}</div> : null}
      <div>
        {shareText(boxes, total)} · {amountText(boxes, total)}
        {self > 0 ? ` · self ${shareText(boxes, self)}` : ''}
        {unresolved > 0 ? ` · in callees ${shareText(boxes, unresolved)}` : ''}
      </div>
      <div class="muted">
        {above >= 0 ? `of parent ${percent(widthOf(boxes, box) / widthOf(boxes, above))} · ` : ''}click = select, double
        click = zoom
      </div>
    </>
  );
}

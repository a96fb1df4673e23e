import { count, percent } from '../../../plot/format';
import { amountText, shareText } from './amounts';
import { type FlameBoxes, libraryOf, placeText, widthOf } from './flameBoxes';
import type { FunctionRows } from './functionRows';

export interface FlameTooltipProps {
  boxes: FlameBoxes;
  box: number;
  functions?: FunctionRows | undefined;
}

/** What a box is and how much of the profile it holds. */
export function FlameTooltip({ boxes, box, functions }: FlameTooltipProps) {
  const above = boxes.index.parent[box] ?? -1;
  const total = boxes.totalOf(box);
  const amount = `${shareText(boxes, total)} · ${amountText(boxes, total)}`;
  if (boxes.more(box) > 0 || boxes.isUnresolved(box)) {
    const more = boxes.more(box) > 0;
    return (
      <>
        <div>
          <b>{more ? `${count(boxes.more(box))} narrow boxes` : 'in callees, unresolved'}</b>
        </div>
        <div>{amount}</div>
        <div class="muted">
          {more
            ? 'double click = zoom in on them'
            : `Dask does not count the innermost frame of a sample. This time was spent directly in ${boxes.candidates(box) || 'one of the callees'}; in which of them is not known.`}
        </div>
      </>
    );
  }
  const unresolved = boxes.unresolvedOf(box);
  const library = libraryOf(boxes, box);
  const row = library ? -1 : (functions?.rowOf(boxes.frameOf(box)) ?? -1);
  const source = row >= 0 ? (functions?.sourceLine(row) ?? '') : '';
  return (
    <>
      <BoxName boxes={boxes} box={box} />
      {source ? <div class="mono source-line">{source}</div> : null}
      <div>
        {amount}
        {unresolved > 0 ? ` · in callees ${shareText(boxes, unresolved)}` : ''}
      </div>
      {selfText(boxes, box) ? <div>{selfText(boxes, box)}</div> : null}
      <div class="muted">
        {above >= 0 ? `of parent ${percent(widthOf(boxes, box) / widthOf(boxes, above))} · ` : ''}
        {library ? `click = its frames one by one` : 'click = select, double click = zoom'}
      </div>
    </>
  );
}

/** Which function a box is, whose, and where it stands. */
export function BoxName({ boxes, box }: { boxes: FlameBoxes; box: number }) {
  const place = placeText(boxes, box);
  return (
    <>
      <div>
        <b>{boxes.name(box)}</b>
        {boxes.category(box) ? ` · ${boxes.category(box)}` : ''}
      </div>
      {place ? <div class="mono">{place}</div> : null}
    </>
  );
}

/** "Self 4.1–6.3 %, estimated 5.2 %"; '' where there is none. */
export function selfText(boxes: FlameBoxes, box: number): string {
  const [low, high] = boxes.selfBounds(box);
  const self = boxes.selfOf(box);
  if (Number.isNaN(self)) return '';
  if (!(high > low)) return `Self ${shareText(boxes, self)}`;
  const bounds = `Self ${shareText(boxes, low)} – ${shareText(boxes, high)}`;
  return boxes.estimatedOf(box) > 0 ? `${bounds}, estimated ${shareText(boxes, self)}` : bounds;
}

import { useMemo, useState } from 'preact/hooks';
import { categoryColour } from '../../domain/categories';
import { percent } from '../../plot/format';
import { childrenOf } from '../../plot/icicleLayout';
import { Swatch } from '../../plot/Legend';
import { cssColour } from '../../plot/palette';
import { Button } from '../../ui/Button';
import { amountText } from '../common/flame/amounts';
import { type FlameBoxes, placeText } from '../common/flame/flameBoxes';
import { selfColour } from '../common/flame/flameColours';
import { shortPath } from '../common/PathText';

export interface TreeTableProps {
  boxes: FlameBoxes;
  selected: string;
  onSelect: (key: string) => void;
}

interface Line {
  box: number;
  depth: number;
  open: boolean;
  leaf: boolean;
}

const mostLines = 1000;

/** Less self time than this share of all is no heat. */
const warmFrom = 0.005;

/** The call tree as an indented table with heat; the heaviest path stands open. */
export function TreeTable({ boxes, selected, onSelect }: TreeTableProps) {
  const heavy = useMemo(() => heavyPath(boxes), [boxes]);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(boxes, heavy, toggled), [boxes, heavy, toggled]);
  const toggle = (key: string) => {
    const next = new Set(toggled);
    if (!next.delete(key)) next.add(key);
    setToggled(next);
  };
  const share = (amount: number) => (boxes.total > 0 ? amount / boxes.total : 0);
  return (
    <section class="table-box tree-table" aria-label="Call tree" data-testid="flame-tree">
      <table class="data-table small">
        <thead>
          <tr>
            <th scope="col" class="left">
              Call
            </th>
            {['Total', 'Self', 'Time'].map((title) => (
              <th key={title} scope="col" class="right">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ box, depth, open, leaf }) => {
            const key = boxes.keyOf(box);
            return (
              <tr
                key={key}
                class={key === selected ? 'selected row-button' : 'row-button'}
                onClick={() => onSelect(key)}
              >
                <td class="left">
                  <span
                    class="tree-call cut"
                    style={{ paddingLeft: `${Math.min(depth, 60) * 10}px` }}
                  >
                    <Button
                      class="tree-toggle"
                      disabled={leaf}
                      aria-expanded={open}
                      aria-label={`${open ? 'Close' : 'Open'} ${boxes.name(box)}`}
                      onClick={(event) => {
                        event.stopPropagation();
                        toggle(key);
                      }}
                    >
                      {leaf ? '·' : open ? '▾' : '▸'}
                    </Button>
                    <Swatch
                      colour={categoryColour(boxes.category(box))}
                      hatched={boxes.isUnresolved(box)}
                    />
                    <span>
                      {boxes.isUnresolved(box) ? 'in callees, unresolved' : boxes.name(box)}
                    </span>
                    <span class="muted mono cut" title={placeText(boxes, box)}>
                      {shortPath(placeText(boxes, box))}
                    </span>
                  </span>
                </td>
                <td class="right">{percent(share(boxes.totalOf(box)))}</td>
                <td class="right">
                  <span
                    class="heat-cell"
                    style={{
                      background:
                        share(boxes.selfOf(box)) >= warmFrom
                          ? cssColour(selfColour(share(boxes.selfOf(box)) * 4))
                          : undefined,
                    }}
                  >
                    {percent(share(boxes.selfOf(box)))}
                  </span>
                </td>
                <td class="right">{amountText(boxes, boxes.totalOf(box))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {lines.length === mostLines ? <p class="muted">Close some branches to see more.</p> : null}
    </section>
  );
}

/** From the root on the heaviest callee, as long as it has more than half of its caller. */
function heavyPath(boxes: FlameBoxes): ReadonlySet<string> {
  const path = new Set<string>();
  let box = boxes.index.byDepth[0]?.[0] ?? -1;
  while (box >= 0) {
    path.add(boxes.keyOf(box));
    const total = boxes.totalOf(box);
    box =
      childrenOf(boxes.index, box).find(
        (child) => boxes.totalOf(child) > total / 2 && !(boxes.more(child) > 0),
      ) ?? -1;
  }
  return path;
}

function linesOf(
  boxes: FlameBoxes,
  heavy: ReadonlySet<string>,
  toggled: ReadonlySet<string>,
): Line[] {
  const lines: Line[] = [];
  const waiting: { box: number; depth: number }[] = [];
  const root = boxes.index.byDepth[0]?.[0];
  if (root !== undefined) waiting.push({ box: root, depth: 0 });
  while (lines.length < mostLines) {
    const next = waiting.pop();
    if (!next) break;
    const children = childrenOf(boxes.index, next.box)
      .filter((child) => !(boxes.more(child) > 0))
      .sort((a, b) => boxes.totalOf(a) - boxes.totalOf(b));
    const key = boxes.keyOf(next.box);
    const open = heavy.has(key) !== toggled.has(key);
    lines.push({ ...next, open, leaf: children.length === 0 });
    if (open) for (const child of children) waiting.push({ box: child, depth: next.depth + 1 });
  }
  return lines;
}

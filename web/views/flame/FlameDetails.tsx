import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { categoryColour } from '../../domain/categories';
import { listed, percent } from '../../plot/format';
import { ancestry, childrenOf } from '../../plot/icicleLayout';
import { Swatch } from '../../plot/Legend';
import { cssColour } from '../../plot/palette';
import { Button, Close } from '../../ui/Button';
import { CopyButton } from '../common/CopyButton';
import { amountText, shareText } from '../common/flame/amounts';
import { type FlameBoxes, libraryOf, placeText } from '../common/flame/flameBoxes';
import type { FunctionRows } from '../common/flame/functionRows';
import { boxActions } from './boxActions';
import { OwnFunctions } from './OwnFunctions';

export interface FlameDetailsProps {
  boxes: FlameBoxes;
  functions?: FunctionRows | undefined;
  /** -1 = nothing is selected */
  box: number;
  onSelect: (key: string) => void;
  onZoom: (box: number) => void;
}

const calleesShown = 8;

/** The selected box: how much, here and everywhere, in which callees, and how it was called. */
export function FlameDetails({ boxes, functions, box, onSelect, onZoom }: FlameDetailsProps) {
  const [allCallees, setAllCallees] = useState(false);
  if (box < 0) {
    return (
      <aside class="panel flame-details flame-details-empty" aria-label="Details">
        <h2>Your functions</h2>
        <OwnFunctions none="Click a box to see how much it took, what it called and how it was called." />
      </aside>
    );
  }
  const place = placeText(boxes, box);
  // the numbers of one function are none of a library
  const row = libraryOf(boxes, box) ? -1 : (functions?.rowOf(boxes.frameOf(box)) ?? -1);
  const everywhere = (column: string) =>
    row >= 0 && functions ? functions.number(column, row) : Number.NaN;
  const outOf = functions?.amounts.total ?? boxes.total;
  const source = row >= 0 ? (functions?.sourceLine(row) ?? '') : '';
  const [selfLow, selfHigh] = boxes.selfBounds(box);
  const callees = childrenOf(boxes.index, box)
    .filter((child) => !boxes.isUnresolved(child) && !(boxes.more(child) > 0))
    .sort((a, b) => boxes.totalOf(b) - boxes.totalOf(a));
  const shown = allCallees ? callees : callees.slice(0, calleesShown);
  const most = boxes.totalOf(callees[0] ?? -1);
  const stack = ancestry(boxes.index, box);
  const isUnresolved = boxes.isUnresolved(box);
  const here = (title: string, amount: number, testId?: string) => ({
    title,
    share: shareText(boxes, amount),
    amount: amount > 0 ? amountText(boxes, amount) : '',
    testId,
  });
  const inAll = (title: string, column: string, testId?: string) => ({
    ...here(title, everywhere(column), testId),
    share: percent(everywhere(column) / outOf),
  });
  const [self, onCpu] = [boxes.selfOf(box), boxes.onCpuOf(box)];
  const hasSelf = !isUnresolved && !Number.isNaN(self);
  const between = boxes.estimatedOf(box) > 0 ? 'Estimated, between' : 'Self, between';
  const facts = [
    here('Total, this box', boxes.totalOf(box), 'flame-box-total'),
    ...(row >= 0
      ? [inAll(`Total, all instances (${everywhere('boxes')})`, 'total', 'flame-all-total')]
      : []),
    ...(hasSelf ? [here('Self, this box', self)] : []),
    ...(hasSelf && selfHigh > selfLow
      ? [
          {
            ...here(between, 0),
            share: `${shareText(boxes, selfLow)} – ${shareText(boxes, selfHigh)}`,
          },
        ]
      : []),
    ...(onCpu >= 0 && self > 0
      ? [{ ...here('Of it on a CPU', onCpu, 'flame-on-cpu'), share: percent(onCpu / self) }]
      : []),
    ...(row >= 0 ? [inAll('Self, all instances', 'self')] : []),
    ...(boxes.unresolvedOf(box) > 0 && !isUnresolved
      ? [here('In callees, unresolved', boxes.unresolvedOf(box))]
      : []),
  ];
  const select = (at: number) => onSelect(boxes.keyOf(at));
  return (
    <aside class="panel flame-details" aria-label="Details" data-testid="flame-details">
      {/* on a narrow page the details lie over the picture */}
      <Close class="details-close" aria-label="Close the details" onClick={() => onSelect('')} />
      <h2>
        {boxes.isUnresolved(box) ? 'in callees, unresolved' : boxes.name(box)}{' '}
        <span class="muted">{boxes.category(box)}</span>
      </h2>
      {place ? <p class="mono place">{place}</p> : null}
      {source ? <p class="mono source-line">{source}</p> : null}
      <dl class="flame-facts small">
        {facts.map(({ title, share, amount, testId }) => (
          <Fragment key={title}>
            <dt>{title}</dt>
            <dd>
              <b data-testid={testId}>{share}</b> <span class="muted">{amount}</span>
            </dd>
          </Fragment>
        ))}
      </dl>
      {boxes.isUnresolved(box) ? (
        <p class="muted">
          Spent directly in {boxes.candidates(box) || 'one of the callees'}; in which of them is not
          known.
        </p>
      ) : null}
      <div class="details-actions row">
        {boxActions(boxes, box, onZoom).map((action) => (
          <Button key={action.id} data-testid={`flame-${action.id}`} onClick={action.run}>
            {action.title} {action.key ? <kbd>{action.key}</kbd> : null}
          </Button>
        ))}
        <CopyButton
          title="Copy stack"
          text={stack
            .map((frame) => listed([boxes.name(frame), placeText(boxes, frame)], '  '))
            .join('\n')}
        />
      </div>
      {callees.length > 0 ? <h3>Callees</h3> : null}
      {shown.map((callee) => (
        <Button
          class="callee small"
          key={callee}
          title={placeText(boxes, callee)}
          onClick={() => select(callee)}
        >
          <span class="cut">{boxes.name(callee)}</span>
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
        </Button>
      ))}
      {callees.length > shown.length ? (
        <Button class="link-button" onClick={() => setAllCallees(true)}>
          and {callees.length - shown.length} more
        </Button>
      ) : null}
      <h3>Stack, leaf → root</h3>
      {stack.map((frame) => (
        <Button
          class="stack-frame"
          key={frame}
          title={placeText(boxes, frame)}
          onClick={() => select(frame)}
        >
          <Swatch
            colour={categoryColour(boxes.category(frame))}
            hatched={boxes.isUnresolved(frame)}
          />
          <span class="cut">
            {boxes.isUnresolved(frame) ? 'in callees, unresolved' : boxes.name(frame)}
          </span>
          {placeText(boxes, frame) ? (
            <span class="mono cut">{endOf(placeText(boxes, frame))}</span>
          ) : null}
        </Button>
      ))}
    </aside>
  );
}

const placeCharacters = 38;

/** The end of a path says which file it is. */
const endOf = (place: string): string =>
  place.length > placeCharacters ? `…${place.slice(1 - placeCharacters)}` : place;

import { useState } from 'preact/hooks';
import type { Range } from '../../plot/timeAxis';
import {
  addStep,
  asPattern,
  flame,
  keepTime,
  removeStep,
  setTree,
  toggleLibrary,
} from '../../state/flame';
import { Button, Close } from '../../ui/Button';
import { Menu } from '../../ui/Menu';
import { MenuLine } from '../../ui/MenuItem';
import { type Amounts, amountText } from '../common/flame/amounts';
import type { FlameBoxes } from '../common/flame/flameBoxes';

const plain: { step: string; title: string; detail: string }[] = [
  { step: 'recursion', title: 'Collapse recursion', detail: 'R' },
  { step: 'group:package', title: 'Group by package', detail: '' },
  { step: 'group:file', title: 'Group by file', detail: '' },
  { step: 'group:function', title: 'One box per function', detail: 'its lines together' },
  { step: 'group:category', title: 'Group by package owner', detail: '' },
  { step: 'keep:category=your analysis', title: 'Only below your code', detail: '' },
];

const verbs = [
  { id: 'fold', title: 'Fold', detail: 'their time becomes their caller’s' },
  { id: 'drop', title: 'Drop', detail: 'samples with them are left out' },
  { id: 'keep', title: 'Keep', detail: 'only samples with them' },
  { id: 'focus', title: 'Focus', detail: 'stacks begin at them' },
] as const;

export interface TransformBarProps {
  boxes: FlameBoxes | undefined;
  visible: Range;
}

/** What is done to the tree before it is drawn, step by step; each can be taken back. */
export function TransformBar({ boxes, visible }: TransformBarProps) {
  const { steps, opened, mode, chunk } = flame.value;
  const shown = boxes && shownTime(boxes, visible);
  const [text, setText] = useState('');
  const add = (step: string) => {
    setText('');
    addStep(step);
  };
  return (
    <div class="transform-bar row">
      {steps.map((step, index) => (
        <StepChip
          key={`${index} ${step}`}
          testId="flame-step"
          title={step}
          text={stepText(step, boxes)}
          undo={`Undo: ${stepText(step, boxes)}`}
          onUndo={() => removeStep(index)}
        />
      ))}
      {(mode === 'own' ? opened : []).map((library) => (
        <StepChip
          key={library}
          testId="flame-opened"
          text={`${library} open`}
          undo={`Fold ${library} again`}
          onUndo={() => toggleLibrary(library)}
        />
      ))}
      {chunk ? (
        <StepChip
          testId="flame-chunk"
          text={`chunk ${chunk}`}
          undo="All chunks again"
          onUndo={() => setTree({ chunk: '', selected: '' })}
        />
      ) : null}
      {steps.length > 1 ? (
        <Button class="link-button" onClick={() => setTree({ steps: [], selected: '' })}>
          Undo all
        </Button>
      ) : null}
      <Menu
        button="Transform"
        buttonClass="button button-small"
        buttonTestId="flame-transform"
        align="right"
        sheetClass="transform-menu"
      >
        {() => (
          <>
            <input
              type="text"
              aria-label="Frames"
              placeholder="text, /expression/, file=…, category=…"
              data-testid="flame-pattern"
              value={text}
              ref={(element) => {
                if (!text) element?.focus();
              }}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            {verbs.map((verb) => (
              <MenuLine
                title={`${verb.title} these frames`}
                detail={verb.detail}
                key={verb.id}
                testId={`flame-${verb.id}-frames`}
                stays={!text.trim()}
                onPress={() => text.trim() && add(`${verb.id}:${asPattern(text.trim())}`)}
              />
            ))}
            {shown ? (
              <MenuLine
                title="Only the time shown"
                detail={rangeText(boxes, shown)}
                testId="flame-keep-time"
                onPress={() => keepTime(...shown)}
              />
            ) : null}
            {plain.map((entry) => (
              <MenuLine
                title={entry.title}
                detail={entry.detail}
                key={entry.step}
                onPress={() => add(entry.step)}
              />
            ))}
          </>
        )}
      </Menu>
    </div>
  );
}

interface StepChipProps {
  testId: string;
  title?: string;
  text: string;
  /** what its cross does */
  undo: string;
  onUndo: () => void;
}

function StepChip({ testId, title, text, undo, onUndo }: StepChipProps) {
  return (
    <span class="chip chip-on" data-testid={testId}>
      <span class="chip-main cut" title={title}>
        {text}
      </span>
      <Close class="chip-close" aria-label={undo} onClick={onUndo} />
    </span>
  );
}

/** The time that is seen, where boxes stand in its order and some of it is not seen. */
function shownTime({ time }: FlameBoxes, [begin, end]: Range): Range | undefined {
  if (!time || end - begin > 0.999) return undefined;
  const at = (share: number) => Number((time[0] + share * (time[1] - time[0])).toPrecision(9));
  return [at(begin), at(end)];
}

const rangeText = (of: Amounts, [begin, end]: Range): string =>
  `${amountText(of, begin)} – ${amountText(of, end)}`;

/** "Fold numpy": a step for people. */
export function stepText(step: string, of?: Amounts): string {
  const colon = step.indexOf(':');
  const verb = colon < 0 ? step : step.slice(0, colon);
  const rest = colon < 0 ? '' : step.slice(colon + 1);
  const [begin = 0, end = 0] = rest.split('~').map(Number);
  const named: Record<string, string> = {
    invert: 'Inverted',
    recursion: 'Recursion collapsed',
    subtree: 'One box',
    group: `By ${rest}`,
    range: `Time ${of ? rangeText(of, [begin, end]) : rest}`,
  };
  const pattern = rest.replaceAll('\\;', ';').replace(/^function=([^@]*)@?.*$/, '$1');
  return named[verb] ?? `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${pattern}`;
}

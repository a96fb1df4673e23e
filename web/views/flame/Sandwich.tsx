import { useState } from 'preact/hooks';
import type { Selection } from '../../engine/engine';
import type { Range } from '../../plot/timeAxis';
import { useSize } from '../../plot/useSize';
import type { QuestionOptions } from '../../state/answers';
import { flame, setFlame } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { shareText } from '../common/flame/amounts';
import { FlamePane } from '../common/flame/FlamePane';
import type { FunctionRows } from '../common/flame/functionRows';
import { useFlame } from '../common/flame/useFlame';
import { FunctionTable } from './FunctionTable';

export interface SandwichProps {
  functions: FunctionRows;
  only: ((row: number) => boolean) | undefined;
  selection: Selection;
  options: QuestionOptions;
  search: string;
}

/** Every function, and of the chosen one who calls it (above) and what it calls (below). */
export function Sandwich({ functions, only, selection, options, search }: SandwichProps) {
  const [box, , height] = useSize<HTMLDivElement>();
  const focus = flame.value.focus || heaviest(functions);
  const row = Array.from({ length: functions.table.rows }, (_, at) => at).find(
    (at) => functions.pattern(at) === focus,
  );
  return (
    <div class="sandwich" ref={box} data-testid="sandwich">
      <FunctionTable
        functions={functions}
        only={only}
        brief
        sortedBy="self"
        maxHeight={Math.max(160, height - 2)}
        selectedRow={row}
        onRow={(at) => setFlame({ focus: functions.pattern(at) })}
      />
      {focus ? (
        <div class="sandwich-panes">
          <Pane question="callers" {...{ focus, functions, selection, options, search }} />
          <Pane question="callees" {...{ focus, functions, selection, options, search }} />
        </div>
      ) : (
        <p class="muted sandwich-empty">No function is left.</p>
      )}
    </div>
  );
}

/** Until one is chosen: the function with most self time. */
function heaviest(functions: FunctionRows): string {
  let most = -1;
  for (let row = 0; row < functions.table.rows; row += 1)
    if (most < 0 || functions.number('self', row) > functions.number('self', most)) most = row;
  return most < 0 ? '' : functions.pattern(most);
}

interface PaneProps {
  question: 'callers' | 'callees';
  focus: string;
  functions: FunctionRows;
  selection: Selection;
  options: QuestionOptions;
  search: string;
}

function Pane({ question, focus, functions, selection, options, search }: PaneProps) {
  const [view, setView] = useState<{ focus: string; visible: Range }>({ focus, visible: [0, 1] });
  const visible: Range = view.focus === focus ? view.visible : [0, 1];
  const run = activeRunId.value;
  const runs = run === undefined ? [] : [run];
  const answer = useFlame(runs, question, selection, { ...options, frame: focus }, visible, search);
  const name = focus.replace(/^function=/, '').replace(/@.*$/, '');
  const upwards = question === 'callers';
  return (
    <section class={`sandwich-pane ${answer.pending ? 'panel-waiting' : ''}`} aria-label={question}>
      <h3>
        {upwards ? 'Callers' : 'Callees'} of {name}{' '}
        <span class="muted">
          {answer.boxes && upwards
            ? `${shareText({ ...answer.boxes, total: functions.amounts.total }, answer.boxes.total)} of all, read upwards`
            : ''}
        </span>
      </h3>
      {answer.error ? <p class="refusal">{answer.error}</p> : null}
      {answer.boxes && answer.overview ? (
        <FlamePane
          boxes={answer.boxes}
          overview={answer.overview}
          functions={functions}
          visible={visible}
          onVisible={(range) => setView({ focus, visible: range })}
          selected={flame.value.selected}
          onSelect={(key) => setFlame({ selected: key })}
          title={`${question} of ${name}`}
          rootless
          upwards={upwards}
          testId={question}
        />
      ) : null}
    </section>
  );
}

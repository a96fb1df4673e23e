import { boundsText, type CorePart, kindText, partLabel, partsOf } from '../../domain/coreTime';
import { workerLabel } from '../../domain/workers';
import { type Row, rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import {
  coreTimePart as coreTimeParts,
  duration,
  listed,
  percent,
  significant,
} from '../../plot/format';
import { coreTimePart, coreTimeZoom, useCoreTimeSplit } from '../../state/coreTime';
import { setFlame } from '../../state/flame';
import { selection, selectNames } from '../../state/selection';
import { put } from '../../state/setter';
import { useAnswer } from '../../state/useAnswer';
import { type ViewId, view, viewTitle } from '../../state/view';
import { Button, Close } from '../../ui/Button';
import { Explained } from '../../ui/Explained';

type Piece = Row<'core_time_part'>;

/** The selected part of the core-time: what it is, what is in it, what it would save. */
export function PartPanel() {
  const { by } = useCoreTimeSplit();
  const under = coreTimePart.value;
  const itself = useAnswer('core_time_tree', selection.value, { by, under, depth: 0 });
  const answer = useAnswer('core_time_part', selection.value, { by, under });
  const workers = useAnswer('workers').table;
  const part = partsOf(itself.table, workers)[0];
  if (!part || part.id !== under) return <aside class="panel part-panel" aria-label="Part" />;
  const pieces = answer.pending ? [] : rowsOf(answer.table);
  const of = (aspect: string) =>
    pieces
      .filter((piece) => piece.aspect === aspect)
      .map((piece) =>
        aspect === 'worker' ? { ...piece, label: workerLabel(workers, piece.label) } : piece,
      );
  const amount = coreTimeParts(part.core_seconds);
  return (
    <aside
      class={`panel part-panel ${answer.pending ? 'panel-waiting' : ''}`}
      aria-label={`Part: ${partLabel(part)}`}
      data-testid="part-panel"
    >
      <div class="panel-head">
        <h2>{partLabel(part)}</h2>
        <div class="panel-actions row">
          <Close
            class="panel-menu"
            aria-label="Close the part"
            data-testid="part-close"
            onClick={put(coreTimePart, '')}
          />
        </div>
      </div>
      <p class="muted small">
        {listed([kindText(part), part.certainty === 'measured' ? 'measured' : part.certainty])}
      </p>
      {part.file ? (
        <p class="mono place">
          {part.file}
          {part.line > 0 ? `:${part.line}` : ''}
        </p>
      ) : null}
      <div class="part-numbers">
        <div>
          <b data-testid="part-seconds">{amount.value}</b> {amount.unit}
          <p class="muted small">
            {part.most > part.least ? `${boundsText(part)} · ` : ''}
            {percent(part.share)}
          </p>
        </div>
        <Saving answer={answer.pending ? undefined : answer.table?.notes} />
      </div>
      <Links part={part} />
      <p class="muted small">{part.note}</p>
      <CpuAndWaiting part={part} />
      <Pieces title="By dataset" pieces={of('dataset')} />
      <Pieces
        title="By worker"
        note="share of its samples"
        pieces={of('worker')}
        amount={(piece) => percent(piece.share)}
      />
      <Pieces
        title="Where its samples ended"
        note="core-s, innermost functions"
        pieces={of('leaf')}
      />
    </aside>
  );
}

function Saving({ answer }: { answer: Record<string, number | string> | undefined }) {
  const number = (name: string): number => {
    const value = answer?.[name];
    return typeof value === 'number' ? value : Number.NaN;
  };
  const saves = number('saves');
  const why = answer?.saving;
  if (!Number.isFinite(saves))
    return typeof why === 'string' ? (
      <div>
        <p class="muted small">no prediction: {why}</p>
      </div>
    ) : null;
  return (
    <div data-testid="part-saves">
      <b>{duration(saves)}</b> of {duration(number('elapsed'))}
      <p class="muted small">
        <Explained content={() => why}>
          saved if twice as fast [{significant(number('saves_low'))}–
          {significant(number('saves_high'))}&#8201;s]
        </Explained>
      </p>
    </div>
  );
}

function CpuAndWaiting({ part }: { part: CorePart }) {
  if (!(part.on_cpu > 0 || part.waiting > 0)) return null;
  const measured = part.split_measured === 1;
  return (
    <section>
      <h3>
        CPU and waiting <small>{measured ? 'measured' : 'average of all processor tasks'}</small>
      </h3>
      <div class={measured ? 'part-split' : 'part-split ct-pale'} aria-hidden="true">
        <i class="ct-cpu" style={{ flexGrow: part.on_cpu }} />
        <i class="ct-wait" style={{ flexGrow: part.waiting }} />
      </div>
      <p class="muted small">
        {significant(part.on_cpu)} core-s on a CPU, {significant(part.waiting)} waiting
        {part.blocked > 0
          ? `; certainly waiting for a lock, a thread or a socket: ${significant(part.blocked)}`
          : ''}
      </p>
    </section>
  );
}

function Pieces({
  title,
  note,
  pieces,
  amount = (piece) => significant(piece.core_seconds),
}: {
  title: string;
  note?: string;
  pieces: readonly Piece[];
  amount?: (piece: Piece) => string;
}) {
  if (pieces.length === 0) return null;
  return (
    <section>
      <h3>
        {title} <small>{note ?? 'core-s'}</small>
      </h3>
      <BarRows
        label={title}
        rows={pieces.map((piece) => ({
          id: piece.label,
          label: piece.label,
          value: piece.share,
          colour: '--pk-user',
          texts: [amount(piece)],
          tooltip: piece.note ? () => piece.note : undefined,
        }))}
      />
    </section>
  );
}

/** Other views with what is selected here. */
function Links({ part }: { part: CorePart }) {
  const to = (id: ViewId, before: () => void) => (
    <Button
      key={id}
      data-testid={`part-to-${id}`}
      onClick={() => {
        before();
        view.value = id;
      }}
    >
      {viewTitle(id)}
    </Button>
  );
  const isCode = part.kind === 'function' || part.kind === 'leaf';
  const links = [];
  if (isCode) {
    const pattern = `function=${part.label}@${part.file}${part.line > 0 ? `:${part.line}` : ''}`;
    links.push(to('flame', () => setFlame({ mode: 'sandwich', focus: pattern })));
  } else if (['inside_process', 'library', 'purpose', 'processor_tasks'].includes(part.kind)) {
    links.push(to('flame', () => setFlame({ mode: 'own', selected: '' })));
  }
  if (part.kind === 'dataset') {
    const only = () => selectNames('datasets', [part.label]);
    links.push(to('compute', only), to('timelines', only));
  } else {
    if (['inside_process', 'section'].includes(part.kind)) links.push(to('compute', () => {}));
    if (part.depth <= 1 || part.kind === 'idle_cause' || part.kind === 'worker')
      links.push(to('timelines', () => {}));
    if (['activity', 'task', 'processor_tasks', 'other_tasks'].includes(part.kind))
      links.push(to('fine', () => {}));
  }
  return (
    <div class="details-actions row">
      {part.children > 0 ? (
        <Button
          data-testid="part-unfold"
          onClick={() => {
            coreTimeZoom.value = part.parent === '' ? '' : part.id;
          }}
        >
          Unfold <kbd>Enter</kbd>
        </Button>
      ) : null}
      {links}
    </div>
  );
}

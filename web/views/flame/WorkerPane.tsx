import { useMemo } from 'preact/hooks';
import type { Selection } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { count, percent } from '../../plot/format';
import { IcicleMap } from '../../plot/IcicleMap';
import type { CssPixels } from '../../plot/useSize';
import { type QuestionOptions, useAnswer } from '../../state/answers';
import { flame, setTree } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { flameBoxes } from '../common/flame/flameBoxes';
import { boxColour } from '../common/flame/flameColours';

export interface WorkerPaneProps {
  spread: Table | undefined;
  error: string | undefined;
  selection: Selection;
  options: QuestionOptions;
}

const smallMultiples = 12;

/** Few have room. */
const heightOf = (pictures: number): CssPixels => (pictures > 4 ? 110 : 220);

/** Every worker's call tree, those that differ most first. */
export function WorkerPane({ spread, error, selection, options }: WorkerPaneProps) {
  const rows = useMemo(() => {
    if (!spread?.has('distance')) return [];
    const distance = spread.numbers('distance');
    return Array.from({ length: spread.rows }, (_, row) => row).sort(
      (a, b) => (distance[b] ?? 0) - (distance[a] ?? 0) || a - b,
    );
  }, [spread]);
  if (error) return <p class="refusal">{error}</p>;
  if (!spread) return <p class="muted">…</p>;
  if (rows.length === 0)
    return <p class="muted">{String(spread.notes.missing ?? 'No worker has a profile.')}</p>;
  const show = (row: number) =>
    setTree({ profile: spread.text('profile', row) ?? 'all', mode: 'icicle', selected: '' });
  const text = (name: string, row: number) => spread.text(name, row) ?? '';
  return (
    <div class="worker-pane" data-testid="flame-workers">
      <DataTable
        label="How much each worker differs from all workers"
        rows={spread.rows}
        sortedBy="distance"
        descending
        maxHeight={220}
        onRow={show}
        columns={[
          {
            id: 'worker',
            title: 'Worker',
            align: 'left',
            order: (row) => text('worker', row),
            cell: (row) => text('worker', row),
          },
          {
            id: 'total',
            title: 'Total',
            align: 'right',
            order: (row) => spread.number('total', row),
            cell: (row) => count(spread.number('total', row)),
          },
          {
            id: 'distance',
            title: 'Difference',
            align: 'right',
            order: (row) => spread.number('distance', row),
            cell: (row) => percent(spread.number('distance', row)),
            explain: () => spread.column('distance').formula,
          },
          {
            id: 'function',
            title: 'Mostly in',
            align: 'left',
            cell: (row) => text('function', row) || '–',
          },
          {
            id: 'share',
            title: 'Its share here',
            align: 'right',
            cell: (row) => percent(spread.number('share', row)),
            explain: () => spread.column('share').formula,
          },
          {
            id: 'usual',
            title: 'in all workers',
            align: 'right',
            cell: (row) => percent(spread.number('usual', row)),
            explain: () => spread.column('usual').formula,
          },
        ]}
      />
      <div class="small-multiples">
        {rows.slice(0, smallMultiples).map((row) => (
          <SmallFlame
            key={text('profile', row)}
            profile={text('profile', row)}
            title={text('worker', row)}
            distance={spread.number('distance', row)}
            selection={selection}
            options={options}
            height={heightOf(rows.length)}
            onOpen={() => show(row)}
          />
        ))}
      </div>
      {rows.length > smallMultiples ? (
        <p class="muted">
          The {smallMultiples} workers that differ most, of {rows.length}.
        </p>
      ) : null}
    </div>
  );
}

interface SmallFlameProps {
  profile: string;
  title: string;
  distance: number;
  selection: Selection;
  options: QuestionOptions;
  height: CssPixels;
  onOpen: () => void;
}

/**
 * In the order of names: the same function stands at the same place in every picture, as far as
 * widths allow.
 */
function SmallFlame({
  profile,
  title,
  distance,
  selection,
  options,
  height,
  onOpen,
}: SmallFlameProps) {
  const asked = { ...options, profile, order: 'name' as const, runs: true, min_fraction: 0.002 };
  const answer = useAnswer(activeRunId.value, 'flame', selection, asked);
  const boxes = useMemo(
    () => (answer.table ? flameBoxes(answer.table) : undefined),
    [answer.table],
  );
  const { colour } = flame.value;
  const colourOf = useMemo(() => {
    if (!boxes) return () => '--line';
    const of = boxColour(boxes, colour);
    return (box: number) =>
      boxes.more(box) > 0 ? '--line-2' : boxes.isUnresolved(box) ? '--ph-idle' : of(box);
  }, [boxes, colour]);
  return (
    <Button class="small-flame" onClick={onOpen} title={`Open the profile of ${title}`}>
      <span>
        <b>{title}</b> <span class="muted">{percent(distance)} different</span>
      </span>
      {boxes ? (
        <IcicleMap
          index={boxes.index}
          colourOf={colourOf}
          matched={boxes.isMatch}
          height={height}
          label={`Call tree of ${title}`}
        />
      ) : (
        <div class="icicle-map" style={{ height: `${height}px` }} />
      )}
    </Button>
  );
}

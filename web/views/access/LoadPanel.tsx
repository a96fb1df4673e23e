import { signal } from '@preact/signals';
import { mean, rollup } from 'd3-array';
import { useMemo } from 'preact/hooks';
import { columnList, greyBeside, pointsOf } from '../../domain/points';
import { hostLegend, rowColour } from '../../domain/stack';
import { rowsOf } from '../../engine/table';
import { bytes, count } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import type { FitLine } from '../../plot/ScatterLines';
import { withoutRanges } from '../../state/ranges';
import { selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { ChunkScatter, chunkAxis, useChunksOfFinding } from '../common/ChunkScatter';
import { noteText, Panel } from '../common/Panel';
import { Choice } from '../common/Segmented';

const modes = [
  { id: 'bytes', title: 'Time, bytes' },
  { id: 'load', title: 'Rate, load' },
] as const;
const mode = signal<(typeof modes)[number]['id']>('bytes');
const axesOf = {
  bytes: { x: 'bytes_read', y: 'duration', title: 'Time against bytes', says: 'one dot a chunk' },
  load: {
    x: 'host_load',
    y: 'bytes_per_second',
    title: 'Read rate of a chunk and load',
    says: 'concurrent readers of the same host; lines: medians',
  },
} as const;

/** A median of fewer chunks says nothing of the others. */
const fewestChunks = 3;
/** Half the length of a median that stands alone, in concurrent readers. */
const stroke = 0.1;

/**
 * Whether chunks take longer for more bytes, and whether a host serves a chunk as fast when it
 * serves several.
 */
export function LoadPanel() {
  const { x, y, title, says } = axesOf[mode.value];
  const isLoad = mode.value === 'load';
  const columns = [x, y];
  const selected = withoutRanges(selection.value, columns);
  const answer = useAnswer('chunks', selected, {
    columns: columnList(['chunk', 'host', 'outlier', 'early', 'bytes_per_second', ...columns]),
  });
  const about = useChunksOfFinding(columns);
  const levels = useAnswer('host_load', selected);
  const hosts = useAnswer('hosts');
  const { table } = answer;
  const names = useMemo(() => rowsOf(hosts.table).map(({ name }) => name), [hosts.table]);
  const points = useMemo(() => {
    if (!table || names.length === 0) return;
    if (!table.has(x) || !table.numbers('bytes_per_second').some(Number.isFinite)) return;
    const colourOf = (host: string) => rowColour('host', names.indexOf(host));
    const points = pointsOf(table, x, y, colourOf, 'host');
    return about?.has('chunk') ? greyBeside(points, table, about) : points;
  }, [table, about, names, x, y]);
  // where on the axis the chunks are that a level counts: it is named by the nearest whole number
  const loads = useMemo(
    () =>
      rollup(
        isLoad ? rowsOf(table) : [],
        (rows) => mean(rows, (row) => row.host_load),
        (row) => row.host,
        (row) => Math.round(row.host_load),
      ),
    [table, isLoad],
  );
  const lines = useMemo(
    () =>
      names.flatMap((host, place): FitLine[] => {
        const own = rowsOf(levels.table).filter(
          (row) => row.host === host && row.chunks >= fewestChunks,
        );
        const through = own.flatMap(({ chunks_open, p50 }): [number, number][] => {
          const load = loads.get(host)?.get(chunks_open) ?? chunks_open;
          // of one level alone a stroke
          return own.length > 1
            ? [[load, p50]]
            : [
                [load - stroke, p50],
                [load + stroke, p50],
              ];
        });
        return own.length > 0
          ? [{ label: host, detail: 'median', colour: rowColour('host', place), through }]
          : [];
      }),
    [levels.table, names, loads],
  );
  return (
    <Panel
      title={title}
      subtitle={noteText(answer, 'selection') || says}
      actions={<Choice name="load-by" label="Against" options={modes} of={mode} />}
      answers={[answer, levels]}
      data={levels.table}
      name="host-load"
      className="span-5"
      testId="host-load"
    >
      {points && table ? (
        <>
          <ChunkScatter
            table={table}
            points={points}
            x={x}
            y={y}
            xAxis={chunkAxis(x)}
            yAxis={chunkAxis(y)}
            lines={isLoad ? lines : []}
            height={230}
            label={
              isLoad
                ? `Read rate of ${count(table.rows)} chunks by the load of their host: ${rowsOf(
                    levels.table,
                  )
                    .map(
                      (row) => `${row.host} ${count(row.chunks_open)}: median ${bytes(row.p50)}/s`,
                    )
                    .join(', ')}`
                : `Time of ${count(table.rows)} chunks by the bytes that they read`
            }
            testId="host-load-chart"
          />
          <Legend entries={hostLegend(names)} />
        </>
      ) : (
        <p class="missing">{table ? 'not collected: the chunks carry no bytes' : '\u00a0'}</p>
      )}
    </Panel>
  );
}

import { useMemo } from 'preact/hooks';
import type { Phase } from '../../domain/phases';
import type { NumbersOf } from '../../engine/questions';
import type { Table } from '../../engine/table';
import { significant } from '../../plot/format';
import { largest, lastNotAbove, map } from '../../plot/numbers';
import { roundedUp } from '../../plot/scales';
import { heldSamples, valueAt } from '../../plot/steps';
import type { TimeAxis } from '../../plot/timeAxis';
import { workerSelection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { noteText } from '../common/Panel';
import { useMeans } from './means';
import { SumTrack } from './SumTrack';
import { AbsentRow } from './TrackFrame';
import { useTrackAnswers } from './trackAnswers';
import type { Track } from './tracks';

interface Line {
  column: NumbersOf<'machines'>;
  label: string;
  colour: string;
  /** filled down to zero */
  filled?: boolean;
}

interface MachineTrack {
  id: string;
  title: string;
  unit: string;
  /** from the core's unit */
  factor: number;
  /** the first is what its gutter tells */
  lines: readonly Line[];
  /** a word for each moment, under the numbers */
  word?: 'client_function';
}

const machineTracks: readonly MachineTrack[] = [
  {
    id: 'machine-cpus',
    title: 'CPUs',
    unit: 'in use on the machines',
    factor: 1,
    lines: [
      { column: 'cpus_busy', label: 'others', colour: '--line-2', filled: true },
      { column: 'cpus_own', label: 'this run', colour: '--ph-process', filled: true },
      { column: 'cpus_usable', label: 'usable', colour: '--text' },
    ],
  },
  {
    id: 'machine-client',
    title: 'Client',
    unit: 'CPUs in use; its function',
    factor: 1,
    lines: [
      { column: 'client_cpus', label: 'client', colour: '--ph-tasks', filled: true },
      { column: 'scheduler_cpus', label: 'scheduler', colour: '--warn' },
    ],
    word: 'client_function',
  },
  {
    id: 'machine-pressure',
    title: 'Pressure',
    unit: '% of the time with a thread waiting',
    factor: 100,
    lines: [
      { column: 'pressure_cpu', label: 'for a CPU', colour: '--act-cpu' },
      { column: 'pressure_memory', label: 'for memory', colour: '--act-fail' },
      { column: 'pressure_io', label: 'for a disk', colour: '--act-disk' },
      { column: 'throttled', label: 'held back by a quota', colour: '--warn' },
    ],
  },
];

const print = (value: number): string => (Number.isFinite(value) ? significant(value) : '–');

/** Undefined where none of its lines was recorded. */
function trackOf(
  { id, title, unit, factor, lines, word }: MachineTrack,
  table: Table<'machines'>,
  end: number,
): Track | undefined {
  const drawn = lines
    .map((line) => ({
      ...line,
      steps: heldSamples(
        table.numbers('t'),
        map(table.numbers(line.column), (value) => value * factor),
        end,
      ),
    }))
    .filter(({ steps }) => steps.values.some(Number.isFinite));
  if (drawn.length === 0) return undefined;
  return {
    id,
    title,
    unit,
    height: 64,
    layers: drawn.map(({ steps, colour, filled }) =>
      filled
        ? { kind: 'area' as const, steps, colour }
        : { kind: 'line' as const, steps, colour, width: 1.25 },
    ),
    top: roundedUp(Math.max(...drawn.map(({ steps }) => largest(steps.values)))),
    legend: drawn.map(({ column, label, colour }) => ({ id: column, label, colour })),
    at: (moment) => [
      drawn.map(({ steps }) => print(valueAt(steps, moment))).join(' · '),
      (word && table.text(word, Math.max(0, lastNotAbove(table.numbers('t'), moment)))) ?? '',
    ],
    over: () => ['', ''],
  };
}

export interface MachineTracksProps {
  axis: TimeAxis;
  phases: readonly Phase[];
}

/** What the machines did meanwhile, the run's share and that of others; else why it is not known. */
export function MachineTracks({ axis, phases }: MachineTracksProps) {
  const answer = useAnswer('machines', workerSelection.value);
  useTrackAnswers(answer);
  const means = useMeans(undefined);
  const { table } = answer;
  const end = axis.extent.value[1];
  const tracks = useMemo(
    () =>
      table && table.rows > 0
        ? machineTracks.flatMap((track) => trackOf(track, table, end) ?? [])
        : [],
    [table, end],
  );
  if (!table) return null;
  if (tracks.length === 0)
    return <AbsentRow id="machines" title="Machines" reason={noteText(answer, 'missing')} />;
  return (
    <>
      {tracks.map((track) => (
        <SumTrack
          key={track.id}
          track={track}
          selected={means}
          whole={means}
          axis={axis}
          phases={phases}
          data={table}
        />
      ))}
    </>
  );
}

import { rowsOf, type Table } from '../engine/table';
import { activeRunId } from '../state/runs';
import { useAnswerOf } from '../state/useAnswer';
import { useMadeOf } from '../ui/madeOf';

const colours = 8;

/**
 * Colour tokens of datasets: by place in the sorted names of the whole bundle, never of a filtered
 * set. With more than eight the seven with most time keep one, in name order, the others share one.
 * `whole` is the `datasets` answer without filter.
 */
export function datasetColours(whole: Table<'datasets'>): (name: string) => string {
  const rows = rowsOf(whole);
  const chosen =
    rows.length <= colours
      ? rows
      : [...rows]
          .sort((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1))
          .slice(0, colours - 1);
  const names = chosen.map((row) => row.name).sort();
  return (name) => {
    const place = names.indexOf(name);
    return place < 0 ? '--c-rest' : `--c${place + 1}`;
  };
}

const noColour = () => '--c-rest';

/** The whole run's datasets, and a colour for each. */
export function useDatasets(run = activeRunId.value) {
  const { table } = useAnswerOf(run === undefined ? [] : [run], 'datasets');
  const colourOf = useMadeOf(table, 'colours', () => (table ? datasetColours(table) : noColour));
  return { datasets: table, colourOf };
}

import { coreTimeSplits } from './coreTime';
import {
  alignments,
  barColours,
  barKinds,
  diffWidths,
  dimensionsOfChange,
  forms,
  parameterIds,
  parameters,
  pers,
  rowOrders,
} from './parameters';
import { version } from './permalink';
import { views } from './view';

const listed = (known: readonly string[]): string => known.map((name) => `\`${name}\``).join(', ');

/** What docs/links.md says of each name in an address. The page itself does without. */
const sentences: Record<string, string> = {
  embed: 'the page is embedded in another page: small, and it stores nothing',
  url: 'what is opened: a file, an archive, a folder ending in “/”; may repeat',
  name: 'what runs are called that came from files, which a link cannot bring: whoever follows it is asked for them; may repeat',
  run: 'which of the open runs is shown, from 0',
  view: `the view: ${listed(views.map(({ id }) => id))}`,
  select: 'the selected time, in seconds since the start: `10:60`',
  dataset: 'a selected dataset; may repeat, as may the next four',
  file: 'a selected file',
  host: 'a selected host',
  worker: 'a selected worker, by its address',
  prefix: 'a selected task prefix',
  range: 'a range of a column of chunks: `duration:1:2.5`, `section:load:0:3`; may repeat',
  processor: 'the task prefix that counts as the processor, where the user chose it',
  split: `what process() is split by: ${listed(coreTimeSplits)}`,
  part: 'the selected part of the core-time, by its id',
  in: 'the part of the core-time that is zoomed to, by its id',
  z: 'the visible time, in seconds: `5~40`',
  pin: 'pinned cursors, at most two, in seconds: `12~20`',
  fold: 'tracks folded (1) or unfolded (0) by hand: `cpu.1~memory.0`',
  form: `how tracks of many workers are drawn, ${listed(forms)}: \`cpu.heat\``,
  sort: `rows of heat maps by ${listed(rowOrders)}`,
  bars: `what the colour of chunks means: ${listed(barColours)}`,
  lanes: `what the last track shows: ${listed(barKinds)}`,
  clock: 'time of day instead of seconds',
  ab: 'the two runs that are compared, by their numbers from 0, with replicates of either: `0~2`, `0-1~2-3`',
  per: `core-time as ${listed(pers)}`,
  by: `what the change is split by: ${listed(dimensionsOfChange)}`,
  align: `where the time courses of two runs are aligned: ${listed(alignments)}`,
  dw: `which run gives the boxes their width: ${listed(diffWidths)}`,
  target: 'the rate that is wanted, in the unit of the study',
  cols: 'numbers of the summary in the table of runs: `total_events~waiting_fraction`',
  flame: 'how call trees are shown, where it is not the default: JSON',
  note: 'a note: where it was written, as this list has it (`#v=2&view=…`), a space, and its text; may repeat',
  theme: '`light` or `dark`, where the user chose one',
};

/** The list of all that a link can say; throws where a sentence is missing, or is about nothing. */
export function permalinkReference(): string {
  const rows = parameterIds.flatMap((id) => {
    const { names, views: where } = parameters[id];
    const shown = typeof where === 'string' ? 'everywhere' : where.join(', ');
    return names.map((name) => [name, shown, sentences[name]] as const);
  });
  const known = rows.map(([name]) => name);
  const wrong = [
    ...rows.filter(([, , sentence]) => !sentence).map(([name]) => name),
    ...Object.keys(sentences).filter((name) => !known.includes(name)),
  ];
  if (wrong.length > 0)
    throw new Error(`parameterDocs.ts and parameters.ts differ: ${wrong.join(', ')}`);
  const lines = rows.map(([name, shown, sentence]) => `| \`${name}\` | ${shown} | ${sentence} |`);
  return [
    '| parameter | in | says |',
    '|---|---|---|',
    `| \`v\` | everywhere | the form of links: ${version} |`,
    ...lines,
  ].join('\n');
}

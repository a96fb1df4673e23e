/**
 * What another page may say to this one, and what it hears (docs/embedding.md). Plain objects with
 * a `type`; an `id` that the host gives to a message stands in its answer, too.
 */
import type { AskOptions, InputFile, RunId, Selection } from '../engine/engine';
import type { TableJson } from '../engine/tableJson';
import { dimensions, parseSelection } from '../state/selection';
import { type Theme, themes } from '../state/theme';
import { tabs, type ViewId, viewNamed, views } from '../state/view';

export type MessageId = string | number;

export type HostMessage = { id?: MessageId } & (
  | { type: 'crema:ping' }
  | { type: 'crema:open'; files: InputFile[] }
  | {
      type: 'crema:ask';
      question: string;
      runs?: RunId[];
      selection: Selection;
      options: NonNullable<AskOptions['options']>;
    }
  | { type: 'crema:show'; view?: ViewId; selection?: Selection; theme?: Theme }
  | { type: 'crema:follow'; name: string }
  | { type: 'crema:file'; data?: ArrayBuffer }
);

export type PageMessage = { id?: MessageId } & (
  | { type: 'crema:pong'; version: string }
  | { type: 'crema:opened'; runs: { id: RunId; title: string }[]; notes: string[] }
  | { type: 'crema:answer'; table: TableJson }
  | { type: 'crema:error'; message: string }
  | { type: 'crema:fetch'; path: string }
  | { type: 'crema:state'; view: ViewId; selection: Selection; hash: string }
);

/** The host said something that means nothing: a sentence why. */
export class Misunderstood extends Error {}

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Whether `data` is meant for this page; other talk between windows is none of its business. */
export const isMessage = (data: unknown): data is Members & { type: string } =>
  isObject(data) && typeof data.type === 'string' && data.type.startsWith('crema:');

/** The id under which an answer is expected, if any. */
export const idOf = ({ id }: Members): { id?: MessageId } =>
  typeof id === 'string' || typeof id === 'number' ? { id } : {};

const parsers: Record<HostMessage['type'], (members: Members) => HostMessage> = {
  'crema:ping': () => ({ type: 'crema:ping' }),
  'crema:open': ({ name, files }) => {
    if (name !== undefined && typeof name !== 'string')
      throw new Misunderstood('crema:open: name is not text');
    if (!Array.isArray(files) || files.length === 0)
      throw new Misunderstood('crema:open: files is not a list of {path, data}');
    return {
      type: 'crema:open',
      files: files.map((file, index) => fileOf(file, index, name ?? '')),
    };
  },
  'crema:ask': ({ question, run, selection = {}, options = {} }) => {
    if (typeof question !== 'string' || question === '')
      throw new Misunderstood('crema:ask: question is not the name of a question');
    const runs = run === undefined ? undefined : Array.isArray(run) ? run : [run];
    if (runs && !runs.every((one) => Number.isInteger(one)))
      throw new Misunderstood('crema:ask: run is neither the id of a run nor a list of ids');
    const isOption = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
    if (!isObject(options) || !Object.values(options).every(isOption))
      throw new Misunderstood('crema:ask: options is not an object of texts, numbers and flags');
    return {
      type: 'crema:ask',
      question,
      ...(runs ? { runs } : {}),
      selection: selectionOf('crema:ask', selection),
      options: options as NonNullable<AskOptions['options']>,
    };
  },
  'crema:show': ({ view, selection, theme }) => {
    const known = [...new Set([...tabs, ...views()].map(({ id }) => id))].join(', ');
    const meant = viewNamed(view);
    if (view !== undefined && !meant)
      throw new Misunderstood(`crema:show: view is not one of ${known}`);
    const shown = themes.find((known) => known === theme);
    if (theme !== undefined && !shown)
      throw new Misunderstood('crema:show: theme is neither "light" nor "dark"');
    return {
      type: 'crema:show',
      ...(meant ? { view: meant } : {}),
      ...(selection === undefined ? {} : { selection: selectionOf('crema:show', selection) }),
      ...(shown ? { theme: shown } : {}),
    };
  },
  'crema:follow': ({ name }) => {
    if (typeof name !== 'string' || name === '')
      throw new Misunderstood('crema:follow: name is not text');
    return { type: 'crema:follow', name: name.replaceAll('/', ' ') };
  },
  'crema:file': ({ data }) => {
    if (data !== undefined && !(data instanceof ArrayBuffer))
      throw new Misunderstood('crema:file: data is no ArrayBuffer');
    return { type: 'crema:file', ...(data ? { data } : {}) };
  },
};

/** A message of the host; throws Misunderstood with a sentence that says which member is wrong. */
export function parseMessage(data: Members & { type: string }): HostMessage {
  const parser = Object.hasOwn(parsers, data.type)
    ? parsers[data.type as HostMessage['type']]
    : undefined;
  if (!parser)
    throw new Misunderstood(
      `${data.type} is unknown; known are ${Object.keys(parsers).join(', ')}`,
    );
  return { ...parser(data), ...idOf(data) };
}

function fileOf(file: unknown, index: number, name: string): InputFile {
  const where = `crema:open: files[${index}]`;
  if (!isObject(file) || typeof file.path !== 'string' || file.path === '')
    throw new Misunderstood(`${where}.path is no file name`);
  const { path, data } = file;
  if (
    !(
      typeof data === 'string' ||
      data instanceof ArrayBuffer ||
      ArrayBuffer.isView(data) ||
      data instanceof Blob
    )
  )
    throw new Misunderstood(`${where}.data is neither text nor an ArrayBuffer`);
  const blob = data instanceof Blob ? data : new Blob([data as BlobPart]);
  // the folder names the run
  const folder = name && !path.startsWith(`${name}/`) ? `${name.replaceAll('/', ' ')}/` : '';
  return { path: folder + path, data: blob };
}

/** A Selection; unlike a link, a program that gets one wrong wants to know. */
function selectionOf(type: string, given: unknown): Selection {
  if (!isObject(given)) throw new Misunderstood(`${type}: selection is not an object`);
  const parsed = parseSelection(JSON.stringify(given));
  for (const [name, value] of Object.entries(given)) {
    const dimension = dimensions.find((known) => known === name);
    if (!dimension)
      throw new Misunderstood(
        `${type}: selection.${name} is unknown; known are ${dimensions.join(', ')}`,
      );
    const understood = parsed[dimension] ?? [];
    if (!Array.isArray(value) || value.length !== understood.length)
      throw new Misunderstood(
        `${type}: selection.${name} is not ${shapes[dimension] ?? 'a list of names'}`,
      );
  }
  return parsed;
}

const shapes: Partial<Record<string, string>> = {
  time: '[begin, end] in seconds',
  ranges: 'a list of {column, lo, hi}',
};

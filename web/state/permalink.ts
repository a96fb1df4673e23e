import type { Parameter } from './parameter';
import { holdsIn, type Permalink, parameters } from './parameters';
import { listDimensions, parseSelection } from './selection';

/**
 * Links carry the version of their form: an older one is brought up to date, a later page can read
 * this one.
 */
export const version = 2;

/**
 * What makes a link of version n one of version n + 1, by n. Links without a version were written
 * by hand, in any form so far.
 */
const upgraders: Record<number, (link: URLSearchParams) => void> = {
  // the filter under the names that the command line has
  1(link) {
    const [time, selection, processor, flame] = ['t', 's', 'p', 'f'].map((name) => link.get(name));
    for (const name of 'tspf') link.delete(name);
    if (time) link.set('select', time.replace('~', ':'));
    const { ranges = [], ...lists } = parseSelection(selection ?? '{}');
    for (const dimension of listDimensions) {
      for (const name of lists[dimension] ?? []) link.append(optionOf[dimension], name);
    }
    for (const { column, lo, hi } of ranges) link.append('range', `${column}:${lo}:${hi}`);
    if (processor) link.set('processor', processor);
    if (flame) link.set('flame', flame);
  },
};

const optionOf = {
  datasets: 'dataset',
  files: 'file',
  hosts: 'host',
  workers: 'worker',
  prefixes: 'prefix',
} as const;

/** What a link of a later version says that this page still understands. */
const timeless = ['embed', 'urls'];

export function parsePermalink(hash: string): Permalink {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const written = Number(given.get('v') ?? 1);
  const understood = written <= version;
  for (let from = written; understood && from < version; from += 1) upgraders[from]?.(given);
  const said = parameters()
    .filter(({ id }) => understood || timeless.includes(id))
    .map(({ id, parameter }) => [id, parameter.parse((name) => given.getAll(name))] as const);
  return Object.fromEntries(said.filter(([, value]) => value !== undefined)) as Permalink;
}

/**
 * As it stands in an address: all that differs from how it is at first, of what holds in the link's
 * view.
 */
export function formatPermalink(link: Permalink): string {
  const parts = parameters().flatMap(({ id, parameter, views }) => {
    const value = link[id];
    return value !== undefined && holdsIn(views, link.view) ? partsOf(parameter, value) : [];
  });
  return `#${[`v=${version}`, ...parts].join('&')}`;
}

function partsOf(parameter: Parameter<unknown>, value: unknown): string[] {
  const written = (of: unknown) =>
    parameter.format(of).map(([name, text]) => (text === '' ? name : `${name}=${text}`));
  const parts = written(value);
  return parts.join('&') === written(parameter.initial).join('&') ? [] : parts;
}

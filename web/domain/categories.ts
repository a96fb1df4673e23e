/** Colour tokens of whose code a frame is, in the legend's order. */
const tokens: [category: string, token: string][] = [
  ['your analysis', '--pk-user'],
  ['coffea', '--pk-coffea'],
  ['awkward', '--pk-awk'],
  ['uproot', '--pk-uproot'],
  ['numeric', '--pk-num'],
  ['hist', '--pk-hist'],
  ['I/O', '--pk-io'],
  ['dask', '--pk-dask'],
  ['standard library', '--pk-std'],
  ['native', '--pk-oth'],
  ['other', '--pk-oth'],
];

const byName = new Map(tokens);

export const categories = tokens.map(([category]) => category);

/** A box without category is the root, which is nobody's code. */
export const categoryColour = (category: string): string => byName.get(category) ?? '--pk-dask';

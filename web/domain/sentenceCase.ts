/** Sentences begin with a capital, names of keys and functions stay as they are. */
export function sentenceCase(text: string): string {
  const first = text.split(' ', 1)[0] ?? '';
  return /^[a-z]+(-[a-z]+)*,?$/.test(first) ? first.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** A sentence of its own, with one full stop: messages of the browser bring theirs along. */
export function fullSentence(text: string): string {
  return `${sentenceCase(text).replace(/\.+$/, '')}.`;
}

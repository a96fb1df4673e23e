/** Columns of answers as the core gives them, made by hand. */

/** `numbers`: one per row. */
export const numberColumn = (
  name: string,
  numbers: ArrayLike<number>,
  type: 'number' | 'flag' = 'number',
) => ({
  name,
  type,
  unit: '',
  formula: '',
  width: 1,
  numbers: Float64Array.from(numbers),
});

/** `texts`: a place in the table's strings per row, or missingText. */
export const textColumn = (name: string, texts: ArrayLike<number>) => ({
  name,
  type: 'text' as const,
  unit: '',
  formula: '',
  width: 1 as const,
  texts: Uint32Array.from(texts),
});

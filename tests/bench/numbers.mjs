/** The one in the middle; of an even number the larger of both. */
export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * Small things kept between visits. In Jupyter's sandbox and in private windows every call throws: then they live as long as
 * the page does.
 */
const memory = new Map<string, string>();

export function remember(key: string, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(`crema.${key}`, value);
  } catch {
    // kept in memory above
  }
}

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(`crema.${key}`) ?? memory.get(key);
  } catch {
    return memory.get(key);
  }
}

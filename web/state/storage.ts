import { embedded } from './embed';

/** Small things kept between visits; in sandboxes and in other pages as long as the page lives. */
const memory = new Map<string, string>();

export function remember(key: string, value: string): void {
  memory.set(key, value);
  if (embedded.value) return;
  try {
    localStorage.setItem(`crema.${key}`, value);
  } catch {
    // kept in memory above
  }
}

export function recall(key: string): string | undefined {
  if (embedded.value) return memory.get(key);
  try {
    return localStorage.getItem(`crema.${key}`) ?? memory.get(key);
  } catch {
    return memory.get(key);
  }
}

import { embedded } from './embed';

/**
 * Small things kept between visits. In Jupyter's sandbox and in private windows every call throws:
 * then they live as long as the page does. Within another page nothing is kept: what is stored
 * there is not the user's choice for this one.
 */
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

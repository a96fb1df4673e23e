/** The rows of tasks that `crema.record` writes: an index, and parts that never change (docs/format.md). */

export const indexName = 'tasks.json';

/** Whether a path is a part's, packed or not. */
export const isPart = (path: string): boolean => /(^|\/)tasks-\d+\.json(\.gz)?$/.test(path);

/** What an index says of the recording. */
export interface RecordedIndex {
  isRunning: boolean;
  /** when it was written [epoch s] */
  until: number;
  /** the names of the parts, oldest first */
  parts: string[];
}

/** Undefined where `text` is no index. */
export function readIndex(text: string): RecordedIndex | undefined {
  let said: { format?: unknown; state?: unknown; until?: unknown; parts?: unknown };
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (said?.format !== 'crema_task_index_v1') return undefined;
  const parts = Array.isArray(said.parts) ? said.parts : [];
  return {
    isRunning: said.state === 'running',
    until: Number(said.until),
    parts: parts.map((part: { name?: unknown }) => String(part?.name)).filter(isPart),
  };
}

import type { Artefact } from '../../engine/engine';

/** Hands files to the browser's download. */
export function download(artefacts: readonly Artefact[]): void {
  // copied: the bytes may lie in a buffer that cannot back a Blob
  for (const { name, content } of artefacts) downloadBlob(name, new Blob([content.slice()]));
}

export function downloadBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // the download has begun by then; freeing at once would end it in Safari
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** What a drop brings, as far as it has to be asked for within its event: later it is forgotten. */
export interface Dropped {
  /** the only way to read in a page from file:; elsewhere, and where there are none, empty */
  handles: (Promise<FileSystemHandle | null> | undefined)[];
  entries: (FileSystemEntry | null)[];
  files: File[];
}

export const holdsFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') ?? false;

/** Must be called within the drop event. */
export function takeDrop(transfer: DataTransfer): Dropped {
  const items = Array.from(transfer.items).filter((item) => item.kind === 'file');
  return {
    handles: location.protocol === 'file:' ? items.map(handleOf) : [],
    entries: items.map((item) => item.webkitGetAsEntry()),
    files: Array.from(transfer.files),
  };
}

/** Chromium gives a page from file: entries that it cannot read, but also handles that it can. */
function handleOf(item: DataTransferItem): Promise<FileSystemHandle | null> | undefined {
  const asked = item as DataTransferItem & {
    getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
  };
  return asked.getAsFileSystemHandle?.();
}

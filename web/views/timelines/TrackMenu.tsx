import type { Table } from '../../engine/table';
import { tableCsv } from '../../engine/tableCsv';
import { sandboxed } from '../../state/embed';
import { download } from '../common/download';

/** The track's numbers to take along. */
export function TrackMenu({ id, title, table }: { id: string; title: string; table: Table }) {
  const save = () => {
    const text = tableCsv(table);
    // a frame without an origin may not download; what is copied can be pasted into a sheet
    if (sandboxed) void navigator.clipboard?.writeText(text).catch(() => undefined);
    else download([{ name: `${id}.csv`, content: new TextEncoder().encode(text) }]);
  };
  return (
    <button type="button" class="panel-menu" title={`${title} as CSV`} data-testid={`csv-track-${id}`} onClick={save}>
      CSV
    </button>
  );
}

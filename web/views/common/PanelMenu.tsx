import type { Table } from '../../engine/table';
import { tableCsv } from '../../engine/tableCsv';
import { sandboxed } from '../../state/embed';
import { download } from './download';
import { useMenu } from './useMenu';

export interface PanelMenuProps {
  title: string;
  table: Table;
  asTable: boolean;
  onTable: () => void;
}

/** What can be had of a panel besides its picture. */
export function PanelMenu({ title, table, asTable, onTable }: PanelMenuProps) {
  const menu = useMenu<HTMLDivElement>();
  const csv = () => {
    menu.close();
    const text = tableCsv(table);
    // a frame without an origin may not download; what is copied can be pasted into a sheet
    if (sandboxed) void navigator.clipboard?.writeText(text).catch(() => undefined);
    else download([{ name: `${table.question}.csv`, content: new TextEncoder().encode(text) }]);
  };
  return (
    <div class="run-menu" ref={menu.ref}>
      <button
        type="button"
        class="panel-menu"
        aria-label={`More of ${title}`}
        aria-haspopup="true"
        aria-expanded={menu.shown}
        data-testid={`menu-${table.question}`}
        onClick={menu.toggle}
      >
        •••
      </button>
      {menu.shown ? (
        <div class="menu menu-right menu-small">
          <div class="menu-row">
            <button
              type="button"
              class="menu-item"
              data-testid={`table-${table.question}`}
              onClick={() => {
                menu.close();
                onTable();
              }}
            >
              {asTable ? 'Picture' : 'Table'} <kbd>T</kbd>
            </button>
          </div>
          <div class="menu-row">
            <button type="button" class="menu-item" data-testid={`csv-${table.question}`} onClick={csv}>
              {sandboxed ? 'Copy as CSV' : 'CSV'}
            </button>
          </div>
        </div>
      ) : null}
    </div>
  );
}

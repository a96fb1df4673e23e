import type { RefObject } from 'preact';
import type { Table } from '../../engine/table';
import { tableCsv, tableTabs } from '../../engine/tableCsv';
import { sandboxed } from '../../state/embed';
import { Menu } from '../../ui/Menu';
import { MenuItem } from '../../ui/MenuItem';
import { CopyItem } from './CopyItem';
import { download } from './download';

export interface PanelMenuProps {
  title: string;
  /** names the files, and in test ids the entries */
  name: string;
  /** what is drawn, and fills the page when expanded */
  box: RefObject<Element | null>;
  table?: Table | undefined;
  asTable?: boolean;
  /** shows the table in place of the picture, and back */
  onTable?: () => void;
  expanded?: boolean;
  /** lets the panel fill the page, and back */
  onExpand?: () => void;
}

/** What can be had of a panel: its numbers, its picture, more room. */
export function PanelMenu({ title, name, box, table, onTable, onExpand, ...now }: PanelMenuProps) {
  const picture = async (format: 'svg' | 'png') => {
    const { savePicture } = await import('./savePicture');
    if (box.current) await savePicture(box.current, name, format);
  };
  return (
    <Menu
      button="•••"
      buttonClass="panel-menu"
      buttonTestId={`menu-${name}`}
      label={`More of ${title}`}
      align="right"
      sheetClass="menu-small"
    >
      {(close) => {
        const then = (act: () => void) => () => {
          close();
          act();
        };
        return (
          <>
            {table && onTable ? (
              <MenuItem testId={`table-${name}`} onPress={then(onTable)}>
                {now.asTable ? 'Picture' : 'Table'} <kbd>T</kbd>
              </MenuItem>
            ) : null}
            {table ? <CopyItem testId={`copy-${name}`} text={() => tableTabs(table)} /> : null}
            {/* a frame without an origin may not download */}
            {sandboxed ? null : (
              <>
                {table ? (
                  <MenuItem
                    testId={`csv-${name}`}
                    onPress={then(() =>
                      download([
                        { name: `${name}.csv`, content: new TextEncoder().encode(tableCsv(table)) },
                      ]),
                    )}
                  >
                    CSV
                  </MenuItem>
                ) : null}
                <MenuItem testId={`png-${name}`} onPress={then(() => picture('png'))}>
                  PNG
                </MenuItem>
                <MenuItem testId={`svg-${name}`} onPress={then(() => picture('svg'))}>
                  SVG
                </MenuItem>
              </>
            )}
            {onExpand ? (
              <MenuItem testId={`expand-${name}`} onPress={then(onExpand)}>
                {now.expanded ? (
                  <>
                    Back <kbd>Esc</kbd>
                  </>
                ) : (
                  'Expand'
                )}
              </MenuItem>
            ) : null}
          </>
        );
      }}
    </Menu>
  );
}

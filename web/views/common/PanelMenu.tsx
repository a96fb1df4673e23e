import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { tableCsv, tableTabs } from '../../engine/tableCsv';
import { sandboxed } from '../../state/embed';
import { Dialog } from '../../ui/Dialog';
import { Menu } from '../../ui/Menu';
import { MenuItem } from '../../ui/MenuItem';
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
      plain
      button="•••"
      buttonClass="panel-menu"
      buttonTestId={`menu-${name}`}
      label={`More of ${title}`}
      align="right"
      sheetClass="menu-small"
    >
      {() => (
        <>
          {table && onTable ? (
            <MenuItem testId={`table-${name}`} onPress={onTable}>
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
                  onPress={() =>
                    download([
                      { name: `${name}.csv`, content: new TextEncoder().encode(tableCsv(table)) },
                    ])
                  }
                >
                  CSV
                </MenuItem>
              ) : null}
              <MenuItem testId={`png-${name}`} onPress={() => picture('png')}>
                PNG
              </MenuItem>
              <MenuItem testId={`svg-${name}`} onPress={() => picture('svg')}>
                SVG
              </MenuItem>
            </>
          )}
          {onExpand ? (
            <MenuItem testId={`expand-${name}`} onPress={onExpand}>
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
      )}
    </Menu>
  );
}

interface CopyItemProps {
  /** made when it is wanted */
  text: () => string;
  testId?: string;
}

/** The line of a menu that puts a text on the clipboard, or shows it where that is closed. */
function CopyItem({ text, testId }: CopyItemProps) {
  const [copied, setCopied] = useState('');
  const byHand = useSignal(false);
  const copy = () => {
    const content = text();
    const closed = () => {
      setCopied(content);
      byHand.value = true;
    };
    if (!navigator.clipboard) closed();
    else navigator.clipboard.writeText(content).then(() => setCopied(content), closed);
  };
  return (
    <>
      <MenuItem stays onPress={copy} {...(testId ? { testId } : {})}>
        {copied && !byHand.value ? 'Copied' : 'Copy'}
      </MenuItem>
      <CopyDialog shown={byHand} text={copied} />
    </>
  );
}

interface CopyDialogProps {
  shown: Signal<boolean>;
  text: string;
}

/** The text to copy by hand, where the browser keeps the clipboard closed. */
function CopyDialog({ shown, text }: CopyDialogProps) {
  return (
    <Dialog shown={shown} label="Copy" testId="copy-dialog">
      <p>
        This page may not write to the clipboard. The text is selected: copy it with Ctrl or Cmd and
        C.
      </p>
      <textarea
        class="mono copy-text"
        readOnly
        value={text}
        ref={(field) => {
          // after the dialog has taken the focus
          if (field) requestAnimationFrame(() => field.select());
        }}
      />
    </Dialog>
  );
}

import { Menu } from '../ui/Menu';
import { MenuItem } from '../ui/MenuItem';
import { Chevron } from '../views/common/Chevron';
import { pickFiles } from './pickFiles';

/** Opens more runs beside those that are open. */
export function OpenMenu() {
  return (
    <Menu
      button={
        <>
          Open… <Chevron />
        </>
      }
      buttonTestId="open"
      align="right"
    >
      {(close) => {
        const pick = (what: 'files' | 'folder') => () => {
          close();
          pickFiles(what);
        };
        return (
          <>
            <MenuItem onPress={pick('files')}>
              Files or .zip… <kbd>O</kbd>
            </MenuItem>
            <MenuItem onPress={pick('folder')}>Folder…</MenuItem>
            <p class="menu-item muted">or drop them anywhere on this page</p>
          </>
        );
      }}
    </Menu>
  );
}

import { Chevron } from '../views/common/Chevron';
import { Menu } from '../views/common/Menu';
import { MenuItem } from '../views/common/MenuItem';
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

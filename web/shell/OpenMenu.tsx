import { Chevron } from '../views/common/Chevron';
import { useMenu } from '../views/common/useMenu';
import { pickFiles } from './pickFiles';

/** Opens more runs beside those that are open. */
export function OpenMenu() {
  const menu = useMenu<HTMLDivElement>();
  const pick = (what: 'files' | 'folder') => {
    menu.close();
    pickFiles(what);
  };
  return (
    <div class="run-menu" ref={menu.ref}>
      <button
        type="button"
        class="button"
        data-testid="open"
        aria-haspopup="true"
        aria-expanded={menu.shown}
        onClick={menu.toggle}
      >
        Open… <Chevron />
      </button>
      {menu.shown ? (
        <div class="menu menu-right">
          <div class="menu-row">
            <button type="button" class="menu-item" onClick={() => pick('files')}>
              Files or .zip… <kbd>O</kbd>
            </button>
          </div>
          <div class="menu-row">
            <button type="button" class="menu-item" onClick={() => pick('folder')}>
              Folder…
            </button>
          </div>
          <p class="menu-item muted">or drop them anywhere on this page</p>
        </div>
      ) : null}
    </div>
  );
}

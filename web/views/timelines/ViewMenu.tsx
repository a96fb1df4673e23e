import { folded } from '../../state/timelines';
import { useMenu } from '../common/useMenu';
import { isFolded } from './TrackFrame';
import { workerQuantities } from './workerQuantities';

const tracks: readonly { id: string; title: string; minor: boolean }[] = [
  { id: 'cores', title: 'Cores', minor: false },
  { id: 'data-rate', title: 'Data rate', minor: false },
  { id: 'event-rate', title: 'Event rate', minor: false },
  ...workerQuantities.map(({ id, title, minor = false }) => ({ id, title, minor })),
  { id: 'chunks', title: 'Chunks', minor: false },
];

/** Which tracks are open. */
export function ViewMenu() {
  const menu = useMenu<HTMLDivElement>();
  const open = tracks.filter(({ id, minor }) => !isFolded(id, minor)).length;
  return (
    <div class="run-menu" ref={menu.ref}>
      <button
        type="button"
        class="button"
        aria-haspopup="true"
        aria-expanded={menu.shown}
        data-testid="tracks-menu"
        onClick={menu.toggle}
      >
        Tracks {open} of {tracks.length}
      </button>
      {menu.shown ? (
        <div class="menu menu-right menu-small">
          {tracks.map(({ id, title, minor }) => (
            <label class="menu-item check" key={id}>
              <input
                type="checkbox"
                checked={!isFolded(id, minor)}
                onChange={() => {
                  folded.value = { ...folded.peek(), [id]: !isFolded(id, minor) };
                }}
              />{' '}
              {title}
            </label>
          ))}
        </div>
      ) : null}
    </div>
  );
}

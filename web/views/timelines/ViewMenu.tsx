import { folded } from '../../state/timelines';
import { Menu } from '../../ui/Menu';
import { isFolded } from './TrackFrame';
import { workerQuantities } from './workerQuantities';

const every: readonly { id: string; title: string; minor: boolean }[] = [
  { id: 'cores', title: 'Cores', minor: false },
  { id: 'data-rate', title: 'Data rate', minor: false },
  { id: 'event-rate', title: 'Event rate', minor: false },
  ...workerQuantities.map(({ id, title, minor = false }) => ({ id, title, minor })),
  { id: 'chunks', title: 'Chunks', minor: false },
  { id: 'workers', title: 'Workers', minor: false },
];

/** Which tracks are open, of those the run has data for. */
export function ViewMenu({ absent }: { absent: readonly string[] }) {
  const tracks = every.filter(({ id }) => !absent.includes(id));
  const open = tracks.filter(({ id, minor }) => !isFolded(id, minor)).length;
  return (
    <Menu
      button={`Tracks ${open} of ${tracks.length}`}
      buttonTestId="tracks-menu"
      label={`Tracks ${open} of ${tracks.length}: which are open`}
      align="right"
      sheetClass="menu-small"
    >
      {() =>
        tracks.map(({ id, title, minor }) => (
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
        ))
      }
    </Menu>
  );
}

import { Button } from '../../ui/Button';
import { Menu } from '../../ui/Menu';
import { Chevron } from '../common/Chevron';

export interface NameMenuProps {
  title: string;
  names: readonly string[];
  label?: (name: string) => string;
  isOn: (name: string) => boolean;
  onToggle: (name: string) => void;
  /** shows all again */
  onAll: () => void;
  testId: string;
}

/** A button that opens a list of names to tick. */
export function NameMenu({
  title,
  names,
  label = (name) => name,
  isOn,
  onToggle,
  onAll,
  testId,
}: NameMenuProps) {
  const on = names.filter(isOn).length;
  const all = on === names.length;
  return (
    <Menu
      button={
        <>
          {title} <b>{all ? `all ${names.length}` : `${on} of ${names.length}`}</b> <Chevron />
        </>
      }
      buttonClass={all ? 'chip' : 'chip chip-on'}
      buttonTestId={testId}
      placeClass="name-place"
      sheetClass="menu-small name-menu"
    >
      {() => (
        <>
          {names.map((name) => (
            <label key={name} class="name-item">
              <input
                type="checkbox"
                checked={isOn(name)}
                data-testid={`${testId}-${name}`}
                onChange={() => onToggle(name)}
              />
              {label(name)}
            </label>
          ))}
          <Button class="link" data-testid={`${testId}-all`} onClick={onAll}>
            all
          </Button>
        </>
      )}
    </Menu>
  );
}

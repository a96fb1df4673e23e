import type { Signal } from '@preact/signals';
import { setter } from '../../state/setter';

export interface SegmentedProps<T extends string> {
  name: string;
  label: string;
  options: readonly { id: T; title: string }[];
  /** undefined = not known yet */
  value: T | undefined;
  onChange: (value: T) => void;
}

/** A few choices side by side of which one holds: radio buttons in other clothes. */
export function Segmented<T extends string>({
  name,
  label,
  options,
  value,
  onChange,
}: SegmentedProps<T>) {
  return (
    <div class="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label
          key={option.id}
          class={option.id === value ? 'on' : ''}
          data-testid={`${name}-${option.id}`}
        >
          <input
            type="radio"
            name={name}
            checked={option.id === value}
            onChange={() => onChange(option.id)}
          />
          {option.title}
        </label>
      ))}
    </div>
  );
}

/** A choice that a signal keeps; `value` = what holds where nobody chose yet. */
export const Choice = <T extends string>({
  of,
  value = of.value,
  ...rest
}: Omit<SegmentedProps<T>, 'value' | 'onChange'> & {
  of: Signal<T> | Signal<T | undefined>;
  value?: T | undefined;
}) => <Segmented {...rest} value={value} onChange={setter(of as Signal<T | undefined>)} />;

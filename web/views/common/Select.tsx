export interface SelectProps<T extends string> {
  label: string;
  /** the label stands beside it; else it is only spoken */
  named?: boolean;
  options: readonly { id: T; title: string; detail?: string }[];
  value: T;
  onChange: (value: T) => void;
  testId: string;
}

/** One of many choices. */
export const Select = <T extends string>(props: SelectProps<T>) => (
  <label class={props.named ? 'toolbar-field' : undefined}>
    {props.named ? <span>{props.label}</span> : null}
    <select
      class="select"
      aria-label={props.label}
      title={props.options.find(({ id }) => id === props.value)?.detail}
      data-testid={props.testId}
      value={props.value}
      onChange={(event) => {
        const chosen = props.options.find(({ id }) => id === event.currentTarget.value);
        if (chosen) props.onChange(chosen.id);
      }}
    >
      {props.options.map(({ id, title, detail }) => (
        <option key={id} value={id} title={detail}>
          {title}
        </option>
      ))}
    </select>
  </label>
);

/** Names as choices; the first is none of them. */
export const optionsOf = (names: readonly string[], none?: string) =>
  [...(none === undefined ? [] : ['']), ...names].map((id) => ({ id, title: id || (none ?? '') }));

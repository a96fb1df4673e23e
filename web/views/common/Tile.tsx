import type { ComponentChildren } from 'preact';
import { Explained } from '../../ui/Explained';

interface TileProps {
  title: string;
  /** beside the title */
  mark?: ComponentChildren;
  explain: (() => ComponentChildren) | undefined;
  /** undefined = not known, which `missing` says in its place */
  value: ComponentChildren | undefined;
  missing?: string;
  /** why it is not known */
  why?: string;
  sub: ComponentChildren;
  testId: string;
  children?: ComponentChildren;
}

/** A headline number: what it is, how much, and a line on it. */
export function Tile(props: TileProps) {
  const { title, explain } = props;
  return (
    <div class="tile" data-testid={props.testId}>
      <div class="tile-label small secondary cut">
        {explain ? <Explained content={explain}>{title}</Explained> : title}
        {props.mark}
      </div>
      <div class="tile-value cut">
        {props.value ?? (
          <span class="missing" title={props.why}>
            {props.missing ?? '\u00a0'}
          </span>
        )}
      </div>
      <div class="tile-sub tiny muted">{props.sub || '\u00a0'}</div>
      {props.children}
    </div>
  );
}

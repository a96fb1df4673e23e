import type { RefObject } from 'preact';
import { count, percent } from '../../plot/format';
import { flame, setFlame } from '../../state/flame';
import { Button } from '../../ui/Button';
import { ownKeys } from '../../ui/keys';
import type { FlameBoxes } from '../common/flame/flameBoxes';

export interface SearchBoxProps {
  field: RefObject<HTMLInputElement | null>;
  boxes: FlameBoxes | undefined;
  /** goes to the next (1) or previous (-1) box that matches */
  onStep: (by: number) => void;
  error: string;
}

/**
 * Text or expression in name and file, how much of the whole it covers, and steps from hit to hit.
 */
export function SearchBox({ field, boxes, onStep, error }: SearchBoxProps) {
  const { search, regex } = flame.value;
  const matched = boxes?.table.notes.matched_total;
  const hits = boxes?.table.notes.matched_boxes;
  return (
    <div class={error ? 'search-box search-wrong' : 'search-box'}>
      <input
        ref={field}
        type="search"
        aria-label="Search name or file"
        placeholder="Search name or file"
        data-testid="flame-search"
        title={error}
        value={search}
        onInput={(event) => setFlame({ search: event.currentTarget.value })}
        onKeyDown={ownKeys({
          Escape: () => {
            setFlame({ search: '' });
            field.current?.blur();
          },
          Enter: (event) => onStep(event.shiftKey ? -1 : 1),
        })}
      />
      {error && search ? (
        <span class="search-count">invalid expression</span>
      ) : search.trim() && typeof matched === 'number' && boxes ? (
        <span class="search-count" data-testid="flame-matched" aria-live="polite">
          {boxes.isFolded && Number(hits) === 0 ? (
            <Button
              class="link-button"
              data-testid="flame-search-all"
              onClick={() => setFlame({ mode: 'icicle' })}
            >
              0 · in all frames ›
            </Button>
          ) : (
            <>
              {count(Number(hits))} · <b>{percent(boxes.total > 0 ? matched / boxes.total : 0)}</b>
            </>
          )}
        </span>
      ) : null}
      <Button
        class={regex ? 'search-regex on' : 'search-regex'}
        aria-pressed={regex}
        title="Regular expression: . * + ? | ( ) ^ $ [a-z] \d \w \s"
        data-testid="flame-regex"
        onClick={() => setFlame({ regex: !regex })}
      >
        .*
      </Button>
      <kbd>/</kbd>
    </div>
  );
}

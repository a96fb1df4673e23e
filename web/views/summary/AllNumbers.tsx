import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../state/answers';
import { useKeys } from '../../ui/keys';
import { later } from '../../ui/later';

const FactTables = later(async () => (await import('./FactTables')).FactTables);

/** All that was computed, with its formulas: folded, searched by name. */
export function AllNumbers({ answer }: { answer: Answer<'summary'> }) {
  const [text, setText] = useState('');
  const box = useRef<HTMLDetailsElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useKeys('view', {
    n: () => {
      const details = box.current;
      if (!details) return;
      details.open = !details.open;
      if (details.open) field.current?.focus();
    },
  });
  // nothing is folded on paper
  useEffect(() => {
    let was = false;
    const unfold = () => {
      was = box.current?.open ?? false;
      if (box.current) box.current.open = true;
    };
    const fold = () => {
      if (box.current) box.current.open = was;
    };
    window.addEventListener('beforeprint', unfold);
    window.addEventListener('afterprint', fold);
    return () => {
      window.removeEventListener('beforeprint', unfold);
      window.removeEventListener('afterprint', fold);
    };
  }, []);
  const known = answer.table?.rows ?? 0;
  return (
    <details class="panel all-numbers" ref={box} data-testid="all-numbers">
      <summary>
        <h2>All numbers</h2>
        <span class="panel-sub small muted">
          {known > 0 ? `${known} values with their formulas` : ''}
        </span>
        <kbd>N</kbd>
      </summary>
      <input
        ref={field}
        class="field"
        type="search"
        placeholder="Search numbers"
        aria-label="Search numbers"
        data-testid="search-numbers"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <FactTables answer={answer} search={text} />
    </details>
  );
}

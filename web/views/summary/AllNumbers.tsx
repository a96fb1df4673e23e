import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../state/answers';
import { useKeys } from '../../ui/keys';
import { later } from '../../ui/later';
import { factTablesId } from './factGroups';

const FactTables = later(async () => (await import('./FactTables')).FactTables);

const columns = [
  ['throughput', 'events', 'timing'],
  ['resources', 'other'],
  ['fine', 'chunks'],
];

/** All that was computed, with its formulas: folded, searched by name. */
export function AllNumbers({ answer }: { answer: Answer }) {
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
    <details class="panel all-numbers" ref={box} id={factTablesId} data-testid="all-numbers">
      <summary>
        <h2>All numbers</h2>
        <span class="panel-sub">{known > 0 ? `${known} values with their formulas` : ''}</span>
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
      <div class="grid">
        {columns.map((groups) => (
          <div class="span-4 stack" key={groups[0]}>
            <FactTables answer={answer} groups={groups} search={text} />
          </div>
        ))}
      </div>
    </details>
  );
}

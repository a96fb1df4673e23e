import { useMemo } from 'preact/hooks';
import { categories, categoryColour } from '../../domain/categories';
import { Legend } from '../../plot/Legend';
import { addStep, asPattern, type FlameColour, flame, removeStep } from '../../state/flame';
import type { FlameBoxes } from '../common/flame/flameBoxes';
import { hashColour, isSection, selfColour } from '../common/flame/flameColours';

const shown = 10;

/** What the colours mean. A click folds what has that colour; its time becomes its caller's. */
export function FlameLegend({ boxes }: { boxes: FlameBoxes }) {
  const { colour, steps } = flame.value;
  const entries = useMemo(() => legendOf(boxes, colour), [boxes.unmarked, colour]);
  if (colour === 'self') {
    const levels: [number, string][] = [
      [0, 'no self time'],
      [0.05, 'below 10 % of its total'],
      [0.3, 'below 50 %'],
      [0.9, 'above'],
    ];
    return (
      <Legend
        entries={levels.map(([share, label]) => ({ id: label, label, colour: selfColour(share) }))}
      />
    );
  }
  const stepOf = (id: string) => asPattern(`fold:${colour}=/^${escaped(id)}$/`);
  // what is folded has no box any more, and still can be brought back
  const folded = steps.flatMap((step) => foldedText(step, colour));
  const all = [
    ...entries,
    ...folded
      .filter((id) => !entries.some((entry) => entry.id === id))
      .map((id) => (colour === 'category' ? categoryEntry(id) : entryOf(id))),
  ];
  return (
    <Legend
      entries={all}
      off={new Set(folded)}
      onToggle={(id) => {
        if (id === section.id) return;
        const at = steps.indexOf(stepOf(id));
        if (at >= 0) removeStep(at);
        else addStep(stepOf(id));
      }}
    />
  );
}

const section = { id: 'section', label: 'section (measured)', colour: '--ph-process' };

const hasSections = (boxes: FlameBoxes): boolean => {
  for (let box = 0; box < boxes.count; box += 1) if (isSection(boxes, box)) return true;
  return false;
};

const escaped = (text: string): string => text.replaceAll(/[/\\.*+?|()[\]^$]/g, '\\$&');

const categoryEntry = (id: string) => ({ id, label: id, colour: categoryColour(id) });

const entryOf = (id: string) => ({
  id,
  label: id.split('/').slice(-2).join('/'),
  colour: hashColour(id),
});

const foldedText = (step: string, colour: FlameColour): string[] => {
  const begin = `fold:${colour}=/^`;
  if (!step.startsWith(begin) || !step.endsWith('$/')) return [];
  return [step.slice(begin.length, -2).replaceAll(/\\(.)/g, '$1')];
};

function legendOf(boxes: FlameBoxes, colour: FlameColour) {
  const textOf = colour === 'package' ? boxes.package : colour === 'file' ? boxes.file : boxes.name;
  if (colour === 'category') {
    const found = boxes.categories();
    return [
      ...(hasSections(boxes) ? [section] : []),
      ...categories.filter((category) => found.has(category)).map(categoryEntry),
    ];
  }
  // the widest of the packages, files or names, by their self time
  const amounts = new Map<string, number>();
  for (let box = 0; box < boxes.count; box += 1) {
    const text = textOf(box);
    if (text && boxes.frameOf(box) >= 0)
      amounts.set(text, (amounts.get(text) ?? 0) + (boxes.selfOf(box) || 0));
  }
  return [...amounts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, shown)
    .map(([id]) => entryOf(id));
}

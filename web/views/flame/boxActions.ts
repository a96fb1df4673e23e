import { addStep, asPattern, setFlame, toggleLibrary } from '../../state/flame';
import { type FlameBoxes, functionPattern, libraryOf, widthOf } from '../common/flame/flameBoxes';

export interface BoxAction {
  id: string;
  title: string;
  key?: string;
  run: () => void;
}

/** What can be done to a box, in its pane and in its menu. */
export function boxActions(
  boxes: FlameBoxes,
  box: number,
  onZoom: (box: number) => void,
): BoxAction[] {
  const zoom = { id: 'zoom', title: 'Zoom to box', key: 'Z', run: () => onZoom(box) };
  const actions: BoxAction[] = widthOf(boxes, box) > 0 ? [zoom] : [];
  if (boxes.frameOf(box) < 0) return actions;
  const pattern = functionPattern(boxes, box);
  const step = (verb: string) => () => addStep(`${verb}:${asPattern(pattern)}`);
  const library = libraryOf(boxes, box);
  if (library)
    actions.push({ id: 'open', title: `Open ${library}`, run: () => toggleLibrary(library) });
  else
    actions.push({
      id: 'sandwich',
      title: 'Callers, callees',
      run: () => setFlame({ mode: 'sandwich', focus: pattern }),
    });
  actions.push({ id: 'focus', title: 'Focus', key: 'F', run: step('focus') });
  // a folded tree has other stacks than the one that steps are applied to
  if (!boxes.isFolded && boxes.path(box) > 0)
    actions.push({
      id: 'subtree',
      title: 'This box only',
      run: () => addStep(`subtree:${boxes.path(box)}`),
    });
  return [
    ...actions,
    { id: 'fold', title: 'Fold', run: step('fold') },
    { id: 'drop', title: 'Drop', run: step('drop') },
  ];
}

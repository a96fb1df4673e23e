import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { engine } from '../../state/engine';
import { flame } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Menu } from '../../ui/Menu';
import { MenuLine } from '../../ui/MenuItem';
import { download } from '../common/download';
import { savePicture } from '../common/savePicture';

export interface ExportMenuProps {
  profile: string;
  profileName: string;
  /** the steps that are done to the tree, for the core */
  transform: string;
  /** what is drawn */
  box: RefObject<Element | null>;
}

/** Saves call trees for other tools, as they are shown: with the steps applied. */
export function ExportMenu({ profile, profileName, transform, box }: ExportMenuProps) {
  const [state, setState] = useState('');
  const [hidePaths, setHidePaths] = useState(false);
  const leaves = flame.value.leaves;
  const save = (to: string, options: Record<string, string | boolean>) => {
    const run = activeRunId.value;
    if (run === undefined) return;
    setState('Writing…');
    const all = {
      ...options,
      leaves,
      ...(transform ? { transform } : {}),
      ...(hidePaths ? { 'hide-paths': true } : {}),
    };
    engine()
      .export(run, to, { selection: selection.value, options: all })
      .then(
        (artefacts) => {
          download(artefacts);
          setState('');
        },
        (problem: unknown) =>
          setState(problem instanceof Error ? problem.message : String(problem)),
      );
  };
  const one = { options: { profile }, detail: profileName };
  const json = { to: 'speedscope', title: 'speedscope JSON' };
  const entries = [
    { ...json, id: 'speedscope', detail: 'all profiles', options: {} },
    { ...json, ...one, id: 'speedscope-one' },
    { ...one, id: 'folded', to: 'folded', title: 'Folded stacks' },
    { ...one, id: 'svg', to: 'svg', title: 'SVG', detail: `${profileName}, searchable` },
    { ...one, id: 'functions', to: 'functions', title: 'Functions as CSV' },
  ];
  return (
    <>
      {state ? (
        <span class="muted" role="status">
          {state}{' '}
        </span>
      ) : null}
      <Menu button="Export" buttonTestId="export" align="right">
        {() => (
          <>
            {entries.map((entry) => (
              <MenuLine
                key={entry.id}
                testId={`export-${entry.id}`}
                onPress={() => save(entry.to, entry.options)}
                title={entry.title}
                detail={entry.detail}
              />
            ))}
            <MenuLine
              title="PNG"
              detail="as it is shown"
              testId="export-png"
              onPress={() => {
                if (box.current) void savePicture(box.current, 'flame', 'png');
              }}
            />
            <label class="menu-check">
              <input
                type="checkbox"
                data-testid="export-hide-paths"
                checked={hidePaths}
                onChange={(event) => setHidePaths(event.currentTarget.checked)}
              />{' '}
              Hide paths
            </label>
          </>
        )}
      </Menu>
    </>
  );
}

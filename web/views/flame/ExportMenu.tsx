import { useState } from 'preact/hooks';
import { engine } from '../../state/engine';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Chevron } from '../common/Chevron';
import { download } from '../common/download';
import { Menu } from '../common/Menu';
import { MenuItem } from '../common/MenuItem';

export interface ExportMenuProps {
  profile: string;
  profileName: string;
}

/** Saves call trees for other tools. */
export function ExportMenu({ profile, profileName }: ExportMenuProps) {
  const [state, setState] = useState('');
  const save = (to: string, options: Record<string, string>) => {
    const run = activeRunId.value;
    if (run === undefined) return;
    setState('Writing…');
    engine()
      .export(run, to, { selection: selection.value, options })
      .then(
        (artefacts) => {
          download(artefacts);
          setState('');
        },
        (problem: unknown) => setState(problem instanceof Error ? problem.message : String(problem)),
      );
  };
  const entries: { id: string; title: string; detail: string; to: string; options: Record<string, string> }[] = [
    { id: 'speedscope', title: 'speedscope JSON', detail: 'all profiles', to: 'speedscope', options: {} },
    { id: 'speedscope-one', title: 'speedscope JSON', detail: profileName, to: 'speedscope', options: { profile } },
    { id: 'folded', title: 'Folded stacks', detail: profileName, to: 'folded', options: { profile } },
  ];
  return (
    <>
      {state ? (
        <span class="muted" role="status">
          {state}{' '}
        </span>
      ) : null}
      <Menu
        button={
          <>
            Export <Chevron />
          </>
        }
        buttonTestId="export"
        align="right"
      >
        {(close) =>
          entries.map((entry) => (
            <MenuItem
              key={entry.id}
              testId={`export-${entry.id}`}
              onPress={() => {
                close();
                save(entry.to, entry.options);
              }}
            >
              <b>{entry.title}</b>
              <span class="muted">{entry.detail}</span>
            </MenuItem>
          ))
        }
      </Menu>
    </>
  );
}

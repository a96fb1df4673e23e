import { useState } from 'preact/hooks';
import { engine } from '../../state/engine';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Chevron } from '../common/Chevron';
import { download } from '../common/download';
import { useMenu } from '../common/useMenu';

export interface ExportMenuProps {
  profile: string;
  profileName: string;
}

/** Saves call trees for other tools. */
export function ExportMenu({ profile, profileName }: ExportMenuProps) {
  const menu = useMenu<HTMLDivElement>();
  const [state, setState] = useState('');
  const save = (to: string, options: Record<string, string>) => {
    const run = activeRunId.value;
    if (run === undefined) return;
    menu.close();
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
    <div class="export-menu" ref={menu.ref}>
      {state ? (
        <span class="muted" role="status">
          {state}{' '}
        </span>
      ) : null}
      <button
        type="button"
        class="button"
        data-testid="export"
        aria-haspopup="true"
        aria-expanded={menu.shown}
        onClick={menu.toggle}
      >
        Export <Chevron />
      </button>
      {menu.shown ? (
        <div class="menu menu-right">
          {entries.map((entry) => (
            <div class="menu-row" key={entry.id}>
              <button
                type="button"
                class="menu-item"
                data-testid={`export-${entry.id}`}
                onClick={() => save(entry.to, entry.options)}
              >
                <b>{entry.title}</b>
                <span class="muted">{entry.detail}</span>
              </button>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}

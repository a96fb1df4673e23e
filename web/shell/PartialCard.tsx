import { useEffect, useState } from 'preact/hooks';
import { fullSentence } from '../domain/sentenceCase';
import type { DataNote } from '../engine/engine';
import { fixed, listed } from '../plot/format';
import { acceptDamage, type OpenRun } from '../state/runs';
import { Button } from '../ui/Button';
import { Sign } from '../ui/Sign';
import { pickFiles } from './pickFiles';

const shownAtMost = 4;

/**
 * Before the views of a run of which a file could be read in part only: what is wrong, where, and a
 * way on.
 */
export function PartialCard({ run }: { run: OpenRun }) {
  const [first] = run.partialNotes;
  const rest = run.partialNotes.length - shownAtMost;
  return (
    <section class="panel partial-card" role="alert" data-testid="partial-card">
      <Sign of="bad" />
      <div>
        <h2>
          {first && run.partialNotes.length === 1
            ? `${first.file} was read in part`
            : 'Some files were read in part'}
        </h2>
        {run.partialNotes.slice(0, shownAtMost).map((note) => (
          <Damage key={`${note.file} ${note.path} ${note.message}`} note={note} run={run} />
        ))}
        {rest > 0 ? <p class="muted">and {fixed(rest, 0)} more, under Recording</p> : null}
        <div class="failure-actions row">
          <Button
            class="button button-main"
            data-testid="show-partial"
            onClick={() => acceptDamage(run.id)}
          >
            Show what was read
          </Button>
          <Button onClick={() => pickFiles('files')}>
            Open another… <kbd>O</kbd>
          </Button>
        </div>
      </div>
    </section>
  );
}

function Damage({ note, run }: { note: DataNote; run: OpenRun }) {
  const text = useOffendingText(note, run);
  return (
    <>
      <p>{fullSentence(note.message)}</p>
      <p class="partial-card-place">
        <span class="mono">{listed([note.file, note.path])}</span>
        {note.offset === undefined ? '' : ` at byte ${fixed(note.offset, 0)}`}
      </p>
      {text ? (
        <pre class="partial-card-text mono">
          …{text.before}
          <mark>{text.after || '\u25ae end of the file'}</mark>
        </pre>
      ) : null}
    </>
  );
}

const around = 48;

/** What stands at the place, when the file is at hand and not packed. */
function useOffendingText(
  note: DataNote,
  run: OpenRun,
): { before: string; after: string } | undefined {
  const [text, setText] = useState<{ before: string; after: string }>();
  useEffect(() => {
    const file = run.origin.files.find((entry) => entry.path === note.file);
    const { offset } = note;
    if (!file || offset === undefined || offset > file.data.size) return;
    let wanted = true;
    const slice = (begin: number, end: number) => file.data.slice(Math.max(0, begin), end).text();
    Promise.all([slice(offset - around, offset), slice(offset, offset + around / 2)])
      .then(([before, after]) => {
        if (wanted) setText({ before: oneLine(before), after: oneLine(after) });
      })
      // the file was moved meanwhile: the sentence alone has to do
      .catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [note, run]);
  return text;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

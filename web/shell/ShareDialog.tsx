import { useState } from 'preact/hooks';
import { fullSentence } from '../domain/sentenceCase';
import { bytes, listed } from '../plot/format';
import { draft, keepAnnotation } from '../state/annotating';
import { shareShown } from '../state/dialogs';
import { sandboxed } from '../state/embed';
import { addressOf, here } from '../state/link';
import { isOneFile } from '../state/oneFile';
import { formatPermalink } from '../state/permalink';
import { makeReport, reportedRuns } from '../state/report';
import { activeRun, openedUrls } from '../state/runs';
import { isFiltered, selection } from '../state/selection';
import { view, viewTitle } from '../state/view';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { downloadBlob } from '../views/common/download';
import { Snippet } from '../views/common/Snippet';
import { selectionText } from '../views/common/selectionText';

/**
 * A link to what is on screen, and what it brings to whoever opens it; or all of it in one file.
 */
export function ShareDialog() {
  const run = activeRun.value;
  if (!shareShown.value || !run) return null;
  const address = addressOf(here.value);
  const fetched = run.origin.urls.length > 0;
  return (
    <Dialog shown={shareShown} label="Share" testId="share">
      <AnnotationField
        about={listed([run.title, viewTitle(view.value), selectionText(selection.value)], ', ')}
      />
      <h3>Link to this view</h3>
      <Snippet code={address ?? formatPermalink(here.value)} />
      {address ? null : (
        <p class="muted" data-testid="share-part">
          This frame has no address of its own: append this to the address of a page with Crema.
        </p>
      )}
      <dl class="share-parts">
        <div>
          <dt class="muted">included</dt>
          <dd>
            {[
              `the view ${viewTitle(view.value)}`,
              isFiltered.value ? `the filter (${selectionText(selection.value)})` : 'no filter',
              ...(fetched ? [`where ${run.title} was loaded from`] : []),
            ].join(', ')}
          </dd>
        </div>
        <div>
          <dt class="muted">not included</dt>
          <dd>
            {fetched
              ? 'the files: they are loaded again from the same address, which the reader must be able to reach'
              : `the files of ${run.title}, only its name: they were opened from this computer and stay there. Send them as well: the link’s view and filter apply once they are opened.`}
          </dd>
        </div>
      </dl>
      {openedUrls.value.length > 0 && !fetched ? (
        <p class="muted">
          Other runs that are open here were loaded from an address, and are in the link.
        </p>
      ) : null}
      {isOneFile && location.protocol === 'file:' ? (
        <p class="muted">
          This page itself is a file on this computer: send it along with the link’s part after “#”.
        </p>
      ) : null}
      <SaveReport />
    </Dialog>
  );
}

/** A note on what is on screen: the run, what is selected in it, or a change of a history. */
function AnnotationField({ about }: { about: string }) {
  return (
    <form
      class="snippet"
      onSubmit={(event) => {
        event.preventDefault();
        keepAnnotation();
      }}
    >
      <input
        class="field"
        aria-label={`Note on ${about}`}
        placeholder={`Note on ${about}: shown above it, in the link and in the report`}
        value={draft.value}
        data-testid="annotation-text"
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
      />
      <button type="submit" class="button" data-testid="annotation-add">
        Add
      </button>
    </form>
  );
}

/** The page and the runs in one file. */
function SaveReport() {
  const [hide, setHide] = useState(false);
  const [words, setWords] = useState('');
  const [state, setState] = useState<{ busy?: boolean; failure?: string }>({});
  const runs = reportedRuns();
  const size = runs.reduce((sum, run) => sum + run.bytes, 0);
  const names = runs.length > 3 ? `${runs.length} runs` : runs.map((run) => run.title).join(', ');
  const save = () => {
    setState({ busy: true });
    makeReport(runs, hide ? words.split(/[\s,]+/).filter(Boolean) : undefined).then(
      (report) => {
        downloadBlob(
          hide || runs.length > 1 ? 'crema-report.html' : `${fileName(runs[0]?.title ?? '')}.html`,
          report,
        );
        setState({});
      },
      (problem: unknown) =>
        setState({ failure: problem instanceof Error ? problem.message : String(problem) }),
    );
  };
  return (
    <section class="save-report" data-testid="save-report">
      <h3>Report in one file</h3>
      <p>
        This page with {names}
        {size > 0 ? ` (${bytes(size)} before compression)` : ''} inside: one HTML file; opens
        offline at this view.
      </p>
      <label class="save-report-hide">
        <input
          type="checkbox"
          data-testid="report-hide"
          checked={hide}
          onChange={(event) => setHide(event.currentTarget.checked)}
        />
        Hide user names and the folders in home directories
      </label>
      <label class="save-report-words">
        and these words
        <input
          type="text"
          data-testid="report-words"
          placeholder="hosts, projects, …"
          disabled={!hide}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <div class="failure-actions row">
        <Button
          class="button button-main"
          data-testid="report-save"
          disabled={state.busy || sandboxed}
          onClick={save}
        >
          {state.busy ? 'Packing…' : 'Save report'}
        </Button>
        <span class={state.failure ? 'bad-mark' : 'muted'} role="status">
          {sandboxed
            ? 'This frame may not save files: open the page in a tab of its own.'
            : state.failure
              ? fullSentence(state.failure)
              : ''}
        </span>
      </div>
    </section>
  );
}

const fileName = (title: string): string =>
  title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|-+$/g, '') || 'run';

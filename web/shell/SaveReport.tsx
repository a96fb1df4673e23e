import { useState } from 'preact/hooks';
import { fullSentence } from '../domain/sentenceCase';
import { bytes } from '../plot/format';
import { sandboxed } from '../state/embed';
import { makeReport, reportedRuns } from '../state/report';
import { Button } from '../ui/Button';
import { downloadBlob } from '../views/common/download';

/** The page and the runs in one file. */
export function SaveReport() {
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
      <div class="failure-actions">
        <Button
          class="button button-main"
          data-testid="report-save"
          disabled={state.busy || sandboxed}
          onClick={save}
        >
          {state.busy ? 'Packing…' : 'Save report'}
        </Button>
        <span class={state.failure ? 'save-report-failure' : 'muted'} role="status">
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

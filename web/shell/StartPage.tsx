import { useState } from 'preact/hooks';
import { fullSentence } from '../domain/sentenceCase';
import { mayConnect } from '../state/oneFile';
import { openUrls } from '../state/opening';
import { forgetRecents, recents } from '../state/recents';
import { forgetLost, lost, reopenLost } from '../state/recovery';
import { opening } from '../state/underWay';
import { Button } from '../ui/Button';
import { AwaitedCard } from './AwaitedCard';
import { Failure, FailureCard } from './Failure';
import { Samples } from './parts';
import { pickFiles } from './pickFiles';

/** Where the documentation lies beside the published page (.github/workflows/pages.yml); elsewhere it does not. */
const docs: string = import.meta.env.VITE_DOCS ?? '';

/** Before anything is open: what this is, that the data stays here, and every way to open a run. */
export function StartPage() {
  const [url, setUrl] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const urls = url.split(/\s+/).filter(Boolean);
    if (urls.length > 0) void openUrls(urls);
  };
  return (
    <div class="start" data-testid="start">
      <h1>Where did the core-hours go?</h1>
      <p class="start-lead">
        Open a run of coffea or Dask. It is read by this page on your computer; nothing is uploaded
        {mayConnect()
          ? '.'
          : ', and your browser enforces that: the page’s own policy forbids every connection.'}
        {docs && mayConnect() ? (
          <>
            {' '}
            New here? <a href={`${docs}tutorial.html`}>My run is slow: what now?</a>
          </>
        ) : null}
      </p>
      {opening.value.kind === 'failed' ? (
        <Failure what={opening.value.what} sentences={opening.value.sentences} />
      ) : null}
      <LostCard />
      <AwaitedCard />
      <section class="drop-zone" aria-label="Open a run" data-testid="drop-zone">
        <svg width="38" height="30" viewBox="0 0 38 30" aria-hidden="true">
          <path
            d="M1.5 5a3 3 0 0 1 3-3h8l3.5 4h17a3 3 0 0 1 3 3v16a3 3 0 0 1-3 3h-28a3 3 0 0 1-3-3z"
            fill="var(--surface-2)"
            stroke="var(--line-2)"
            stroke-width="1.5"
          />
          <path d="M19 11v9m-4-3.5 4 4 4-4" fill="none" stroke="var(--accent)" stroke-width="2" />
        </svg>
        <h2>Drop a run folder, files, or a .zip here</h2>
        <div class="drop-row row">
          <Button
            class="button button-main"
            data-testid="open-files"
            onClick={() => pickFiles('files')}
          >
            Open files… <kbd>O</kbd>
          </Button>
          <Button data-testid="open-folder" onClick={() => pickFiles('folder')}>
            Open folder…
          </Button>
          {mayConnect() ? (
            <form class="url-form" onSubmit={submit}>
              <input
                type="text"
                inputMode="url"
                aria-label="Address of a folder, a .zip or a file"
                placeholder="https://…/run.zip"
                value={url}
                onInput={(event) => setUrl(event.currentTarget.value)}
                data-testid="url"
              />
              <button type="submit" class="button" data-testid="load-url">
                Load
              </button>
            </form>
          ) : null}
        </div>
        <p class="muted">Drop two runs to compare them, more for scaling or history.</p>
      </section>
      <dl class="accepted small secondary">
        <div>
          <dt>Recordings</dt>
          <dd>
            a folder of <code>crema.record</code> (any executor of coffea) or of roastcoffea, or its
            parts
          </dd>
        </div>
        <div>
          <dt>Other tools</dt>
          <dd>
            Dask’s profiles, spans, task stream and reports; logs of TaskVine and HTCondor; profiles
            of py-spy, perf, cProfile, memray, Austin, pyinstrument and speedscope
          </dd>
        </div>
        <div>
          <dt>Archives</dt>
          <dd>
            <code>.zip</code> and <code>.gz</code> of any of these. File names don’t matter.
          </dd>
        </div>
      </dl>
      <Samples />
      <Recents />
    </div>
  );
}

/** After a crash of the core: what happened, and a way back that is one click long. */
function LostCard() {
  const now = lost.value;
  if (!now) return null;
  const what = now.titles.join(', ');
  return (
    <FailureCard
      testId="lost"
      title={now.titles.length === 1 ? `${what} was closed` : `${what} were closed`}
      text={<p>{fullSentence(now.why)}</p>}
    >
      <Button class="button button-main" data-testid="reopen" onClick={() => void reopenLost()}>
        Open again
      </Button>
      <Button data-testid="forget-lost" onClick={forgetLost}>
        Dismiss
      </Button>
    </FailureCard>
  );
}

/** What was open in earlier visits: names only. */
function Recents() {
  if (recents.value.length === 0) return null;
  return (
    <section aria-label="Recent runs" data-testid="recents">
      <h2 class="section-title">
        Recent{' '}
        <span class="muted">
          · names only, kept in this browser; local files must be opened again
        </span>
        <Button class="link" onClick={forgetRecents}>
          Forget
        </Button>
      </h2>
      <ul class="recents">
        {recents.value.map(({ title, started, url }) => (
          <li key={`${title} ${started}`}>
            <span class="cut">{title}</span>
            <span class="muted">{started}</span>
            <span class="recent-place small muted cut" title={url}>
              {url ?? ''}
            </span>
            <Button
              class="link"
              onClick={() => (url && mayConnect() ? void openUrls([url]) : pickFiles('folder'))}
            >
              Open again{url ? '' : '…'} ›
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { mayConnect } from '../state/oneFile';
import { openUrls } from '../state/opening';
import { forgetRecents, recents } from '../state/recents';
import { Button } from '../ui/Button';
import { pickFiles } from './pickFiles';

/** What was open in earlier visits: names only. */
export function Recents() {
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
            <b>{title}</b>
            <span class="muted">{started}</span>
            <span class="recent-place" title={url}>
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

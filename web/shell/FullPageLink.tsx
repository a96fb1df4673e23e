import { openedUrls } from '../state/opening';
import { formatPermalink } from '../state/permalink';
import { activeRunId, openRuns } from '../state/runs';
import { selection } from '../state/selection';
import { view } from '../state/view';

/** From a small frame to a page of its own, at the same place. Local files cannot be taken along: there they are opened again. */
export function FullPageLink() {
  const address = location.href.replace(/#.*$/, '');
  // a frame made of text has no address that could be opened
  if (!/^(https?|file):/.test(address)) return null;
  const run = openRuns.value.findIndex((entry) => entry.id === activeRunId.value);
  const hash = formatPermalink({
    urls: openedUrls.value.map((url) => new URL(url, document.baseURI).href),
    view: view.value,
    selection: selection.value,
    run,
    embed: false,
  });
  return (
    <a class="button" href={address + hash} target="_blank" rel="noopener" data-testid="full-page">
      Open full page ↗
    </a>
  );
}

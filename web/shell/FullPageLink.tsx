import { here } from '../state/link';
import { formatPermalink } from '../state/permalink';

/** From a small frame to a page of its own, at the same place. Local files cannot be taken along: there they are opened again. */
export function FullPageLink() {
  const address = location.href.replace(/#.*$/, '');
  // a frame made of text has no address that could be opened
  if (!/^(https?|file):/.test(address)) return null;
  // served into a sandbox, as Jupyter does with files: it may open nothing, and what shows it has a link of its own
  if (self.origin === 'null' && !address.startsWith('file:')) return null;
  const link = here.value;
  const urls = link.urls.map((url) => new URL(url, document.baseURI).href);
  return (
    <a
      class="button"
      href={address + formatPermalink({ ...link, urls, embed: false })}
      target="_blank"
      rel="noopener"
      data-testid="full-page"
    >
      Open full page ↗
    </a>
  );
}

import { addressOf, here } from '../state/link';

/**
 * From a small frame to a page of its own, at the same place. Local files cannot be taken along:
 * there they are opened again.
 */
export function FullPageLink() {
  const urls = here.value.urls?.map((url) => new URL(url, document.baseURI).href);
  const address = addressOf({ ...here.value, urls, embed: false });
  if (!address) return null;
  // served into a sandbox, as Jupyter does with files: it may open nothing, and what shows it has a
  // link of its own
  if (self.origin === 'null' && !address.startsWith('file:')) return null;
  return (
    <a class="button" href={address} target="_blank" rel="noopener" data-testid="full-page">
      Open full page ↗
    </a>
  );
}

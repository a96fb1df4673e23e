import { pendingLink } from '../state/link';
import { openedUrls } from '../state/runs';
import { view, viewTitle } from '../state/view';
import { Button } from '../ui/Button';
import { selectionText } from '../views/common/selectionText';

/**
 * A link was followed whose files are not at hand: which they are, and what it will show once they
 * are opened.
 */
export function AwaitedCard() {
  const link = pendingLink.value;
  if (!link) return null;
  const names = [
    ...(link.names ?? []),
    ...(link.urls ?? []).filter((url) => !openedUrls.value.includes(url)).map(lastPart),
  ];
  const shows = [
    link.view ? `the view ${viewTitle(link.view)}` : '',
    link.selection ? `the filter (${selectionText(link.selection)})` : '',
  ].filter(Boolean);
  return (
    <section class="panel awaited" data-testid="awaited">
      <div>
        <h2>
          {names.length > 0 ? (
            <>
              This link needs <b>{names.join(', ')}</b>
            </>
          ) : (
            'This link needs its author’s files'
          )}
        </h2>
        <p>
          A link contains no files. Open {names.length === 1 ? 'it' : 'them'} below
          {shows.length > 0 ? `: ${shows.join(' and ')} will then apply.` : '.'}
        </p>
      </div>
      <Button
        data-testid="forget-link"
        onClick={() => {
          pendingLink.value = undefined;
          view.value = 'summary';
        }}
      >
        Forget the link
      </Button>
    </section>
  );
}

const lastPart = (url: string): string =>
  url
    .replace(/[?#].*$/, '')
    .split('/')
    .filter(Boolean)
    .at(-1) ?? url;

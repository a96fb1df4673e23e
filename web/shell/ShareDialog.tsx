import { shareShown } from '../state/dialogs';
import { addressOf, here } from '../state/link';
import { isOneFile } from '../state/oneFile';
import { formatPermalink } from '../state/permalink';
import { activeRun, openedUrls } from '../state/runs';
import { isFiltered, selection } from '../state/selection';
import { view, viewTitle } from '../state/view';
import { Dialog } from '../ui/Dialog';
import { Snippet } from '../views/common/Snippet';
import { selectionText } from '../views/common/selectionText';
import { AnnotationField } from './AnnotationField';
import { SaveReport } from './SaveReport';

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
        about={[run.title, viewTitle(view.value), selectionText(selection.value)]
          .filter(Boolean)
          .join(', ')}
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
          <dt>included</dt>
          <dd>
            {[
              `the view ${viewTitle(view.value)}`,
              isFiltered.value ? `the filter (${selectionText(selection.value)})` : 'no filter',
              ...(fetched ? [`where ${run.title} was loaded from`] : []),
            ].join(', ')}
          </dd>
        </div>
        <div>
          <dt>not included</dt>
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

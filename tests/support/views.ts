/** The page's views and tabs, as it lists them: web/state/view.ts knows none before views.ts has told it. */
import '../../web/views/views';
import { tabs, views as listed } from '../../web/state/view';

if (tabs.length === 0) throw new Error('the page has no views');

const views = listed();

export { tabs, views };

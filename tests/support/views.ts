/** The page's views and tabs, as it lists them: web/state/view.ts knows none before views.ts has provided them. */
import '../../web/views/views';
import { views as listed, tabs } from '../../web/state/view';

if (tabs.length === 0) throw new Error('the page has no views');

const views = listed();

export { tabs, views };

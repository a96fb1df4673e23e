/** The page's views, as it lists them: web/state/view.ts knows none before views.ts has told it. */
import '../../web/views/views';
import { views } from '../../web/state/view';

if (views.length === 0) throw new Error('the page has no views');

export { views };

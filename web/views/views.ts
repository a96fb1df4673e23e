import { provideViews } from '../state/view';
import { accessView } from './access/index';
import { chunksView } from './chunks/index';
import { compareView } from './compare/index';
import { fineView } from './fine/index';
import { flameView } from './flame/index';
import { historyView } from './history/index';
import { notesView } from './notes/index';
import { scalingView } from './scaling/index';
import { summaryView } from './summary/index';
import { timelinesView } from './timelines/index';
import { workersView } from './workers/index';

/** All views, in the order of their tabs. */
provideViews([
  summaryView,
  timelinesView,
  fineView,
  chunksView,
  accessView,
  flameView,
  workersView,
  compareView,
  scalingView,
  historyView,
  notesView,
]);

import { provideTabs, type Tab, type View } from '../state/view';
import { readView } from './access/index';
import { computeView } from './chunks/index';
import { compareView } from './compare/index';
import { fineView } from './fine/index';
import { useWhatIsOpen, useWorseHalf } from './first';
import { flameView } from './flame/index';
import { historyView } from './history/index';
import { recordingView } from './notes/index';
import { scalingView } from './scaling/index';
import { summaryView } from './summary/index';
import { timelinesView } from './timelines/index';

const alone = (view: View): Tab => ({ id: view.id, title: view.title, views: [view] });

provideTabs([
  alone(summaryView),
  alone(timelinesView),
  alone(fineView),
  alone(flameView),
  { id: 'data', title: 'Data', views: [computeView, readView], useFirst: useWorseHalf },
  {
    id: 'runs',
    title: 'Runs',
    views: [compareView, scalingView, historyView],
    useFirst: useWhatIsOpen,
  },
  alone(recordingView),
]);

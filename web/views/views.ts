import type { ComponentType } from 'preact';
import type { ViewId } from '../state/view';
import { AccessView } from './access/AccessView';
import { ChunksView } from './chunks/ChunksView';
import { CompareView } from './compare/CompareView';
import { FineView } from './fine/FineView';
import { FlameView } from './flame/FlameView';
import { NotesView } from './notes/NotesView';
import { ScalingView } from './scaling/ScalingView';
import { SummaryView } from './summary/SummaryView';
import { TimelinesView } from './timelines/TimelinesView';

/** What is drawn for each tab: the list of views. */
const components: Record<ViewId, ComponentType> = {
  summary: SummaryView,
  timelines: TimelinesView,
  fine: FineView,
  chunks: ChunksView,
  access: AccessView,
  flame: FlameView,
  compare: CompareView,
  scaling: ScalingView,
  notes: NotesView,
};

export const viewOf = (id: ViewId): ComponentType => components[id];

import { type ViewId, views } from '../../state/view';

export const viewTitle = (id: ViewId): string => views.find((entry) => entry.id === id)?.title ?? id;

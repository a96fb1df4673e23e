import { expect, it } from 'vitest';
import { tabOf, tabs, viewNamed, views, viewTitle } from '../../web/state/view';
import '../../web/views/views';

it('are seven, each with the views that answer one kind of question', () => {
  expect(tabs.map(({ title, views: of }) => [title, of.map(({ id }) => id)])).toEqual([
    ['Summary', ['summary']],
    ['Timelines', ['timelines']],
    ['Fine metrics', ['fine']],
    ['Flame graph', ['flame']],
    ['Data', ['compute', 'read']],
    ['Runs', ['compare', 'scaling', 'history']],
    ['Recording', ['recording']],
  ]);
});

it('views are told apart by their ids, and by the names that links and findings have had for them', () => {
  const names = [...tabs, ...views()].flatMap((one) => [
    one.id,
    ...('was' in one && one.was ? one.was : []),
  ]);
  const own = new Set(names);
  for (const name of own) expect(viewNamed(name), name).toBeDefined();
  const former = views().flatMap(({ was = [] }) => was);
  expect(new Set(former).size).toBe(former.length);
});

it('a view is called after its tab, and after itself where there are several', () => {
  expect(viewTitle('summary')).toBe('Summary');
  expect(viewTitle('data')).toBe('Data');
  expect(viewTitle('read')).toBe('Data › Read');
  expect(viewTitle('timelines')).toBe('Timelines');
  expect(tabOf('read').title).toBe('Data');
  expect(viewNamed('workers')).toBe('timelines');
});

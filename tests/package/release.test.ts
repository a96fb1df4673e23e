/** What goes with a release. */
import { expect, it } from 'vitest';
import { billOfMaterials, changes } from '../../scripts/recipe.mjs';

it('a release has a section in the changes, a trial takes the next one', () => {
  expect(changes('99.0.0', true)).toMatch(/^# Crema 99\.0\.0\n\n### /);
  expect(() => changes('99.0.0', false)).toThrow('CHANGELOG.md has no section "## 99.0.0".');
});

it('the bill of materials names what is compiled in and bundled, and no tool', async () => {
  const bill = JSON.parse(await billOfMaterials('99.0.0')) as {
    bomFormat: string;
    metadata: { component: { name: string; version: string } };
    components: { name: string; licenses?: unknown[] }[];
  };
  expect(bill.bomFormat).toBe('CycloneDX');
  expect(bill.metadata.component).toMatchObject({ name: 'cremascope', version: '99.0.0' });
  const names = bill.components.map(({ name }) => name);
  for (const name of ['preact', 'd3-shape', 'JSON for Modern C++', 'libarchive', 'nanobind'])
    expect(names, name).toContain(name);
  for (const name of ['vite', 'vitest', 'Vue']) expect(names, name).not.toContain(name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, licenses } of bill.components) expect(licenses, name).toHaveLength(1);
});

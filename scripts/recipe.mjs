import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failed, root, run } from './run.mjs';

/** The string or list of strings that a key of python/pyproject.toml has; undefined without it. */
export function declared(key) {
  const text = readFileSync(join(root, 'python/pyproject.toml'), 'utf8');
  const found = new RegExp(`^${key} = (".*"|\\[.*\\])$`, 'm').exec(text);
  return found ? JSON.parse(found[1]) : undefined;
}

/**
 * The recipe for conda-forge, which builds the package from its source distribution as PyPI has it.
 * The libraries come from conda-forge, so that nothing is fetched while it builds.
 */
export function condaRecipe(version, checksum) {
  const name = declared('name');
  const list = (names) => names.map((one) => `    - ${one}`).join('\n');
  return `schema_version: 1

context:
  version: "${version}"

package:
  name: ${name}
  version: \${{ version }}

source:
  url: https://pypi.org/packages/source/${name[0]}/${name}/${name}-\${{ version }}.tar.gz
  sha256: ${checksum}

build:
  number: 0
  skip: win
  script: \${{ PYTHON }} -m pip install . -vv --no-deps --no-build-isolation

requirements:
  build:
    - \${{ compiler('cxx') }}
    - \${{ stdlib('c') }}
    - cmake
    - ninja
  host:
    - python
    - pip
${list(declared('requires').map((one) => one.replace(/(?=>=)/, ' ')))}
    - nlohmann_json
    - fast_float
    - cli11
    - libarchive
    - zlib
  run:
    - python

tests:
  - python:
      imports: [${name}]
  - script:
      - crema --version
      - crema questions

about:
  homepage: ${declared('Source') ?? `https://pypi.org/project/${name}/`}
  summary: ${JSON.stringify(declared('description'))}
  license: ${declared('license')}
  license_file: [LICENSE, THIRD_PARTY.md]
`;
}

/** What CHANGELOG.md says of `version`; in a trial what it says of the next one. */
export function changes(version, isTrial) {
  const [, ...sections] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const of = (title) => sections.find((one) => one.startsWith(title));
  const found = of(version) ?? (isTrial ? of('Not released yet') : undefined);
  if (!found) throw new Failed(`CHANGELOG.md has no section "## ${version}".`);
  return `# Crema ${version}${found.slice(found.indexOf('\n'))}`;
}

/**
 * What is in the release that others wrote: npm's own list, and what THIRD_PARTY.md says of the rest.
 */
export async function billOfMaterials(version) {
  const { output } = await run('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx'], {
    collect: true,
  });
  const bill = JSON.parse(output);
  bill.metadata.component = { type: 'application', name: declared('name'), version };
  const rows = readFileSync(join(root, 'THIRD_PARTY.md'), 'utf8').matchAll(
    /^\| (.*?) \| \[(.*?)\]\((.*?)\).*? \| (.*?) \| (.*?) \|$/gm,
  );
  for (const [, where, name, url, copyright, license] of rows) {
    if (where === 'page' || where === 'documentation') continue; // npm has listed it; not in the release
    bill.components.push({
      type: 'library',
      name,
      copyright,
      licenses: [{ license: { name: license } }],
      externalReferences: [{ type: 'website', url }],
    });
  }
  return `${JSON.stringify(bill, null, 2)}\n`;
}

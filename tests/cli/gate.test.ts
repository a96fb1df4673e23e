/** The gate: what passes, what does not, and what it tells people and machines. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const before = pathOf('ab-before');
const after = pathOf('ab-after');

const check = (baseline: string, candidate: string, ...more: string[]) =>
  crema(['check', baseline, candidate, ...more]);
const rules = (...texts: string[]) => texts.flatMap((text) => ['--rule', text]);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crema-gate-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the workflow of the documentation', () => {
  const workflow = readFileSync(at('docs/gate-example.yml'), 'utf8');
  const given = Array.from(workflow.matchAll(/--rule '([^']*)'/g), ([, rule]) => rule ?? '');

  it('fails a run that has become slower, and says by which rule', () => {
    expect(given).toHaveLength(3);
    const slower = check(before, after, ...rules(...given));
    expect(slower.status).toBe(1);
    expect(slower.stdout).toMatch(/\*\*broken\*\* \| event\\_rate\\_core\\_khz not worse by 30%/);
    expect(slower.stdout).toMatch(/kept \| lost\\_chunks/);
  });

  it('lets a run pass that is as fast as before', () => {
    const same = ['--allow', 'same-run'];
    expect(check(before, before, ...rules(...given), ...same).status).toBe(0);
  });
});

it('the step of the documentation gives the action what it takes', () => {
  const [, step = ''] =
    /- id: gate\n([\s\S]*?)\n {2}- /.exec(readFileSync(at('docs/gate.md'), 'utf8')) ?? [];
  const taken = /^inputs:\n([\s\S]*?)^outputs:/m.exec(readFileSync(at('action.yml'), 'utf8'))?.[1];
  const given = Array.from(step.matchAll(/^ {6}(\w+):/gm), ([, name]) => name);
  expect(given).toEqual(['baseline', 'candidate', 'rules']);
  for (const name of given) expect(taken).toMatch(new RegExp(`^ {2}${name}:`, 'm'));
  const asked = Array.from(step.matchAll(/^ {8}(\S.*)$/gm), ([, rule]) => rule ?? '');
  expect(check(before, before, ...rules(...asked), '--allow', 'same-run').status).toBe(0);
});

describe('what is no verdict ends with status 2 and a sentence', () => {
  it('no rules: none given, none in the file', () => {
    const empty = join(folder, 'empty.rules');
    writeFileSync(empty, '# event_rate_core_khz >= 0.9x\n\n');
    for (const given of [[], ['--rules', empty], rules('')]) {
      const { status, stderr } = check(before, after, ...given);
      expect(status).toBe(2);
      expect(stderr).toBe(
        'crema: no rule was given; one is, for example, event_rate_core_khz not worse; --allow no-rules continues anyway\n',
      );
      expect(check(before, after, ...given, '--allow', 'no-rules').status).toBe(0);
    }
  });

  it('a file of rules that is not there says so', () => {
    const { status, stderr } = check(before, after, '--rules', join(folder, 'none.rules'));
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `crema: ${join(folder, 'none.rules')}: cannot be read: No such file or directory\n`,
    });
  });

  it('a run held against itself', () => {
    const { status, stderr } = check(before, before, ...rules('elapsed_time_seconds <= 2x'));
    expect(status).toBe(2);
    expect(stderr).toContain('the candidate is the baseline itself');
    expect(stderr).toContain('--allow same-run continues anyway');
  });

  it('a file that is cut off is named beside what is missing for it', () => {
    const cut = join(folder, 'cut');
    mkdirSync(cut, { recursive: true });
    const metrics = readFileSync(join(after, 'metrics.json'));
    writeFileSync(join(cut, 'metrics.json'), metrics.subarray(0, metrics.length / 2));
    const { status, stdout, stderr } = check(before, cut, ...rules('lost_chunks == 0'));
    expect(status).toBe(2);
    expect(stderr).toMatch(/^crema: cut\/metrics\.json: the file is cut off/);
    expect(stdout).toMatch(/^\* cut\/metrics\.json: the file is cut off/m);
    writeFileSync(join(cut, 'metrics.json'), 'x{');
    expect(check(before, cut, ...rules('lost_chunks == 0')).stderr).toMatch(/metrics\.json/);
  });

  it('a side without a run, or more than two bundles without sides', () => {
    expect(check(before, after, '--').stderr).toContain('no bundles stand behind --');
    expect(check(before, after, after).stderr).toContain('a -- stands between the replicates');
  });

  it('a dataset and 40 % of the events missing', () => {
    const kept = rules('peak_memory_bytes <= 2x');
    const { status, stdout, stderr } = check(before, pathOf('scale-1'), ...kept);
    expect(status).toBe(2);
    expect(stdout).toMatch(/^# Rules not checked\n/);
    expect(stdout).not.toContain('kept'); // it would mean nothing
    expect(stderr).toContain('the candidate lacks the dataset wjets; --allow missing-datasets');
    expect(stderr).toContain('the candidate lacks 40.4 % of the events (1,219,123 → 727,122)');
    const one = check(before, pathOf('scale-1'), ...kept, '--allow', 'missing-events');
    expect(one.status).toBe(2);
    const both = ['--allow', 'missing-datasets', '--allow', 'missing-events'];
    expect(check(before, pathOf('scale-1'), ...kept, ...both).status).toBe(0);
    expect(check(before, before, ...kept, '--allow', 'events').stderr).toContain(
      'no reason events; there are no-rules',
    );
  });

  it.each([
    ['event_rate_core_khz >= 90%', 24, 'expected what it is a percentage of: 90% of A'],
    ['event_rate_core_khz =< 90%', 21, 'expected <, <=, >, >=, == or "not worse"'],
    ['event_rate_core >= 0.9x', 1, 'did you mean event_rate_core_khz?'],
    ['core_efficiency >= 90%', 20, 'give points (90pp) or a part of the baseline (90% of A)'],
    ['lost_chunks not worse by 5', 26, 'expected a margin: 3%, 3% of A or 3pp\n'],
    ['dataset:tbar not worse', 1, 'there are ttbar, wjets, zprime; did you mean dataset:ttbar?\n'],
  ])('the rule %s', (rule, character, why) => {
    const { status, stdout, stderr } = check(before, after, ...rules(rule));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^crema: rule "/);
    expect(stderr).toContain(`rule "${rule}", character ${character}: `);
    expect(stderr).toContain(why);
  });
});

it('a number whose noise is unknown gets an example of a limit on its worse side', () => {
  const of = (id: string) => check(before, after, ...rules(`${id} not worse`)).stderr;
  expect(of('peak_memory_bytes')).toContain('give it a limit, for example <= +10%');
  expect(of('core_efficiency')).toContain('give it a limit, for example >= -10pp');
});

it('a part whose margin is within its noise says what would tell', () => {
  const { status, stderr } = check(
    before,
    after,
    ...rules('section:fill_histograms not worse by 60%'),
  );
  expect(status).toBe(3);
  // 10 standard errors are no noise
  expect(stderr).toMatch(/\+218\.4 % ± 21\.6 %, like the rest of the run: whether/);
  expect(stderr).toContain('more replicates or a wider margin would tell');
});

describe('what machines are told', () => {
  const file = () => join(folder, 'gate.rules');
  beforeAll(() =>
    writeFileSync(file(), '# a gate\nlost_chunks == 0\n\nevent_rate_core_khz not worse\n'),
  );
  const given = () => ['--rules', file(), ...rules('elapsed_time_seconds <= 3x')];

  it('JSON with a version', () => {
    const { status, stdout } = check(before, after, ...given(), '--json');
    const said = JSON.parse(stdout);
    expect(status).toBe(1);
    expect(said).toMatchObject({
      format: 'crema check',
      version: 1,
      outcome: 'broken',
      exit: 1,
      error: null,
      baseline: 'ab-before',
      candidate: 'ab-after',
    });
    expect(said.rules.map((rule: { state: string }) => rule.state)).toEqual([
      'kept',
      'broken',
      'kept',
    ]);
    expect(said.rules[1]).toMatchObject({ line: 4, id: 'event_rate_core_khz', verdict: 'worse' });
    expect(said.rules[1].limit).toBe(null);
    expect(said.conditions.every((one: { state: string }) => one.state === 'kept')).toBe(true);
  });

  it('JSON and JUnit of rules that cannot be used', () => {
    const { status, stdout } = check(before, after, ...rules('x'), '--json');
    const said = JSON.parse(stdout);
    expect(status).toBe(2);
    expect(said).toMatchObject({ version: 1, outcome: 'refused', exit: 2, rules: [] });
    expect(said.error).toContain('expected <, <=, >, >=, == or "not worse"');
    const junit = check(before, after, ...rules('a <b> c'), '--junit', '-').stdout;
    expect(junit).toContain('tests="1" failures="0" errors="1"');
    expect(junit).toContain('rule &quot;a &lt;b&gt; c&quot;');
  });

  it('JUnit, over an older one only with --force', () => {
    const report = join(folder, 'report.xml');
    writeFileSync(report, 'older');
    const refused = check(before, after, ...given(), '--junit', report);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('is there already; nothing was written. --force overwrites');
    expect(readFileSync(report, 'utf8')).toBe('older');
    expect(check(before, after, ...given(), '--junit', report, '--force').status).toBe(1);
    const xml = readFileSync(report, 'utf8');
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="9" /);
    expect(xml).toContain('failures="1" errors="0" skipped="0"');
    expect(xml).toContain('name="elapsed_time_seconds &lt;= 3x"/>');
    expect(xml).toMatch(/<failure message="event_rate_core_khz not worse – .*, worse"\/>/);
  });

  it('annotations of GitHub at the rule, and the summary of the job', () => {
    const summary = join(folder, 'summary.md');
    writeFileSync(summary, 'before\n');
    process.env.GITHUB_STEP_SUMMARY = summary;
    try {
      const { status, stdout } = check(before, after, ...given(), '--github');
      expect(status).toBe(1);
      expect(stdout).toMatch(
        /^::error title=crema check,file=[^:,]*gate\.rules,line=4::broken: event_rate_core_khz not worse – .*\n$/,
      );
      expect(readFileSync(summary, 'utf8')).toMatch(/^before\n# 1 of 3 rules broken\n/);
      expect(check(before, after, ...rules('elapsed_time_seconds <= 3x'), '--github').stdout).toBe(
        '::notice title=crema check::The rule is kept\n',
      );
      expect(check(before, after, ...rules('x 5%'), '--github').stdout).toMatch(
        /^::error title=crema check::.*character 5: expected <, <=, >, >=, == or "not worse"/,
      );
    } finally {
      delete process.env.GITHUB_STEP_SUMMARY;
    }
  });
});

it('a verdict on a group names it', () => {
  const { status, stdout } = check(
    before,
    after,
    ...rules('dataset:*.seconds_per_million_events not worse by 3%'),
  );
  expect(status).toBe(1);
  for (const name of ['ttbar', 'wjets', 'zprime'])
    expect(stdout).toMatch(
      new RegExp(`\\| dataset:${name}\\..* not worse by 3% \\|.*\\| dataset ${name}: \\+`),
    );
});

it('a dataset that became faster as the whole run did is not within the noise', () => {
  const { status, stdout } = check(
    pathOf('tutorial-before'),
    pathOf('tutorial-after'),
    ...rules('dataset:zprime not worse by 10%'),
  );
  expect(status).toBe(0);
  expect(stdout).toMatch(/dataset zprime: −84\.2 % ± 7\.3 %, like the rest of the run/);
});

it('every exit status is said alike in the docs, in --help and in the manual', () => {
  const docs = readFileSync(at('docs/gate.md'), 'utf8');
  const rows = Array.from(docs.matchAll(/^\| ([0-3]) \| (.*) \|$/gm));
  expect(rows).toHaveLength(4);
  const help = crema(['check', '--help']).stdout;
  const manual = crema(['man']).stdout;
  for (const [, status, said = ''] of rows) {
    expect(help).toContain(`\n  ${status}  ${said}\n`);
    expect(manual).toContain(`of check: ${said.split('; or ')[0]}`);
  }
});

it('every name of --allow is in the docs', () => {
  const docs = readFileSync(at('docs/gate.md'), 'utf8');
  const names = /--allow ([\w|-]+)/.exec(crema(['check', '--help']).stdout)?.[1]?.split('|') ?? [];
  expect(names).toHaveLength(7);
  for (const name of names) expect(docs).toContain(`| \`${name}\` |`);
});

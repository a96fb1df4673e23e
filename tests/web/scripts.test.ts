/** What npm's commands read from other programs, in the words of several of their releases. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { catchCounts } from '../../scripts/native.mjs';
import { isReferenceCompiler, tooHeavy } from '../../scripts/page.mjs';
import { helpOf } from '../../scripts/run.mjs';
import { installLine } from '../../scripts/setup.mjs';

const script = (name: string) =>
  fileURLToPath(new URL(`../../scripts/${name}.mjs`, import.meta.url));

describe('test cases that Catch2 counts', () => {
  it('of release 2, also in colours', () => {
    expect(
      catchCounts('\u001b[1;32mAll tests passed\u001b[0m (12 assertions in 3 test cases)\n'),
    ).toEqual({
      passed: 3,
      failed: 0,
    });
    expect(
      catchCounts(
        'test cases:  5 |  4 passed |  1 failed\nassertions: 12 | 10 passed | 2 failed\n',
      ),
    ).toEqual({ passed: 4, failed: 1 });
  });

  it('of release 3', () => {
    const seed = 'Randomness seeded to: 2087164372\n';
    const line = '='.repeat(79);
    expect(
      catchCounts(`${seed}${line}\nAll tests passed (1 assertion in 1 test case)\n\n`),
    ).toEqual({
      passed: 1,
      failed: 0,
    });
    expect(
      catchCounts(`${seed}${line}\ntest cases: 2 | 2 failed\nassertions: 2 | 2 failed\n\n`),
    ).toEqual({ passed: 0, failed: 2 });
  });

  it('of a program that ended before it counted', () => {
    expect(catchCounts('Unrecognised token: --use-colour\n')).toEqual({ passed: 0, failed: 1 });
  });
});

describe('the weight of the page', () => {
  it('has budgets for the reference compiler alone', () => {
    const debian12 =
      'emcc (Emscripten gcc/clang-like replacement + linker emulating GNU ld) 3.1.6 ()\nDebian clang version 14.0.6\n';
    const debian13 =
      'emcc (Emscripten gcc/clang-like replacement + linker emulating GNU ld) 3.1.69 ()\nDebian clang version 19.1.7 (3+b1)\n';
    expect(isReferenceCompiler(debian12)).toBe(true);
    expect(isReferenceCompiler(debian13)).toBe(false);
    expect(isReferenceCompiler(debian12.replace('14.0.6', '17.0.6'))).toBe(false);
  });

  it('is compared with each budget', () => {
    const allowed = { all: 1042, core: 804, first: 53, summary: 550 };
    expect(tooHeavy(allowed)).toEqual([]);
    expect(tooHeavy({ ...allowed, core: 804.1 })).toEqual([
      'The core weighs more than 804 kB compressed.',
    ]);
    expect(tooHeavy({ all: 1060, core: 810, first: 60, summary: 600 })).toHaveLength(4);
  });
});

it('what is missing is named as the package manager knows it', () => {
  const ninja = { packages: { apt: ['ninja-build'], dnf: ['ninja-build'], brew: ['ninja'] } };
  const chromium = {
    packages: { apt: ['chromium', 'chromium-browser'], dnf: ['chromium'], brew: [] },
  };
  expect(installLine([ninja, chromium, ninja], 'apt')).toEqual([
    'On Debian and Ubuntu: apt-get install ninja-build chromium',
  ]);
  expect(installLine([ninja, chromium], 'dnf')).toEqual([
    'On Fedora: dnf install ninja-build chromium',
  ]);
  expect(installLine([ninja, chromium], 'brew')).toEqual(['On macOS: brew install ninja']);
  expect(installLine([chromium], 'brew')).toEqual([]);
});

describe('a command', () => {
  it('prints its help', () => {
    const help = execFileSync(process.execPath, [script('bench'), '--help'], { encoding: 'utf8' });
    expect(help).toMatch(/^npm run bench: /);
    expect(help).toContain('--against COMMIT');
    expect(help).not.toContain('//');
  });

  it('says at its top what it does, which is its help', () => {
    const path = fileURLToPath(new URL('../../package.json', import.meta.url));
    const { scripts } = JSON.parse(readFileSync(path, 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const command of Object.values(scripts)) {
      const name = /scripts\/([\w-]+)\.mjs/.exec(command)?.[1] ?? '';
      expect(helpOf(script(name)), command).toMatch(/^npm (run [\w-]+|start|test)/);
    }
  });

  it('refuses an option that it does not know with a sentence and its help', () => {
    const { status, stderr } = spawnSync(process.execPath, [script('bench'), '--agianst', 'main'], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain("Unknown option '--agianst'");
    expect(stderr).toContain('npm run bench: ');
    expect(stderr).not.toContain('    at ');
  });
});

// Whether failures are named: of each recording of `npm run lab -- --failures` the headline of
// `failures`, its sentences and the findings are set against what its truth.json says must be named
// and must not be said, and attempts against what made them fail. `npm run bench -- failures
// --bundles FOLDER`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failed, root } from '../../scripts/run.mjs';

const program = join(root, 'build/native/crema');

function ask(path, question) {
  const json = execFileSync(program, ['ask', path, question, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const { rows, columns, notes } = JSON.parse(json);
  const list = Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
  );
  return { rows: list, notes };
}

/** Attempts that failed; what had not ended when the recording did is none. */
const attemptsOf = (rows) =>
  rows.reduce((sum, { attempts, lost, message }) => sum + (lost && !message ? 0 : attempts), 0);

/** Without addresses, whose dots would end sentences. */
const withoutAddresses = (text) => text.replaceAll(/tcp:\S+/g, '').trim();

export function failures({ bundles }) {
  if (!bundles)
    throw new Failed('failures needs --bundles FOLDER: recordings of npm run lab -- --failures');
  const scratch = mkdtempSync(join(tmpdir(), 'crema-failures-'));
  const count = { runs: 0, headline: 0, named: 0, findings: 0, untrue: 0, attempts: 0, counted: 0 };
  try {
    for (const name of readdirSync(bundles).sort()) {
      if (!name.endsWith('.zip')) continue;
      execFileSync('unzip', ['-qo', join(bundles, name), '-d', scratch]);
      const path = join(scratch, name.slice(0, -4));
      if (!existsSync(join(path, 'truth.json'))) continue;
      const truth = JSON.parse(readFileSync(join(path, 'truth.json'), 'utf8'));
      if (!truth.names) continue;
      const { rows, notes } = ask(path, 'failures');
      const headline = withoutAddresses(`${notes.headline ?? ''} ${notes.workers ?? ''}`);
      const sentences = rows.map(({ text, advice }) => `${text} ${advice}`).join(' ');
      const findings = ask(path, 'findings')
        .rows.map(({ title, evidence }) => withoutAddresses(`${title} ${evidence}`))
        .join('\n');
      const lacks = (text) => truth.names.filter((words) => !new RegExp(words, 'i').test(text));
      const inHeadline = lacks(headline);
      const inAnswer = lacks(`${headline} ${sentences}`);
      const inFindings = lacks(findings);
      const untrue = truth.never.filter((words) =>
        new RegExp(words, 'i').test(`${headline} ${sentences} ${findings}`),
      );
      count.runs += 1;
      count.headline += inHeadline.length === 0;
      count.named += inAnswer.length === 0;
      count.findings += inFindings.length === 0;
      count.untrue += untrue.length > 0;
      let attempts = '';
      if (truth.struck) {
        count.counted += 1;
        const found = attemptsOf(rows);
        // What failed after the client gave up was recorded by nobody.
        const isRight =
          found === truth.struck.length ||
          (Boolean(truth.recording.raised) && found > 0 && found < truth.struck.length);
        count.attempts += isRight;
        if (!isRight) attempts = `  ${found} of ${truth.struck.length} attempts`;
      }
      const not = (where, list) => (list.length > 0 ? `  ${where} lacks ${list.join(', ')}` : '');
      console.log(
        `${name.slice(0, -4).padEnd(28)}${not('headline', inHeadline)}${not('answer', inAnswer)}${not('findings', inFindings)}${attempts}${untrue.length > 0 ? `  UNTRUE: ${untrue.join(', ')}` : ''}\n    ${headline}`,
      );
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
  console.log(`
named in the headline        ${count.headline} of ${count.runs}
named in the answer          ${count.named} of ${count.runs}
named in findings            ${count.findings} of ${count.runs}
attempts as made             ${count.attempts} of ${count.counted}
runs with an untrue sentence ${count.untrue} of ${count.runs}`);
  return [];
}

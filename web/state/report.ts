import { enclosedId } from '../engine/enclosed';
import { CoreError, type InputFile } from '../engine/engine';
import { engine } from './engine';
import { here } from './link';
import { forbidConnections, isOneFile } from './oneFile';
import type { Permalink } from './parameters';
import { formatPermalink } from './permalink';
import { activeRun, type OpenRun, openRuns } from './runs';
import { view, viewOf } from './view';

/** What a report would hold: the run that is shown, or all where runs are seen side by side. */
export function reportedRuns(): OpenRun[] {
  if (viewOf(view.value).needs.runs > 1) return openRuns.value;
  return activeRun.value ? [activeRun.value] : [];
}

/**
 * This page as one file with `runs` inside, where the user is now; with `hide`, without names of
 * users and those words.
 */
export async function makeReport(runs: readonly OpenRun[], hide?: string[]): Promise<Blob> {
  const origins = [...new Set(runs.map((run) => run.origin))];
  const parts = origins.map((origin) => ({
    runs: runs.filter((run) => run.origin === origin).map((run) => run.id),
    files: origin.files,
    urls: origin.urls,
  }));
  // what tells apart runs of one name, for whoever opens the report
  const sources = parts.flatMap((part) =>
    part.runs.map((id) => ({ name: foldersIn(runs.find((run) => run.id === id)?.title ?? '') })),
  );
  const all = runs.length === openRuns.value.length;
  const link: Permalink = { ...here.value, urls: [], names: [], run: all ? here.value.run : 0 };
  const [page, packed] = await Promise.all([
    isOneFile ? ownSource() : pageBeside(),
    engine().pack({ parts, text: JSON.stringify({ link, sources }), ...(hide ? { hide } : {}) }),
  ]);
  const shown = JSON.parse(packed.text) as { link: Permalink; sources: { name: string }[] };
  return fillPage(
    page,
    formatPermalink({ ...shown.link, embed: false }),
    packed.files,
    shown.sources,
  );
}

const foldersIn = (title: string): string => title.slice(0, Math.max(0, title.lastIndexOf('/')));

// A browser holds no text of more than half a gigabyte.
const largest = 400e6;

const marker = `<!--${enclosedId}-->`;

/** A one-file page, filled; one that is a report already is filled anew. */
export async function fillPage(
  page: string,
  hash: string,
  files: readonly InputFile[],
  sources: readonly { name: string }[],
): Promise<Blob> {
  const end = page.indexOf(marker);
  if (end < 0) throw new CoreError('this page cannot hold a report');
  const begin = new RegExp(
    `<script type="application/json" id="${enclosedId}">[^<]*</script>$`,
  ).exec(page.slice(0, end));
  const size = files.reduce((sum, file) => sum + (file.data.size * 4) / 3, 0);
  if (size > largest) {
    const megabytes = `${Math.round(size / 1e6)} MB`;
    throw new CoreError(
      `the report would be ${megabytes} large, and browsers open pages up to ${largest / 1e6} MB`,
    );
  }
  const written = files.map(({ path, source = 0, data }) => [
    `{"path":${json(path)},"source":${source},"data":"`,
    ...base64(data),
    '"}',
  ]);
  return new Blob([
    page.slice(0, begin?.index ?? end),
    `<script type="application/json" id="${enclosedId}">{"version":1,"hash":${json(hash)},"sources":${json(sources)},"files":[`,
    ...(await Promise.all(written.flatMap((one, index) => (index > 0 ? [',', ...one] : one)))),
    `]}</script>${marker}`,
    page.slice(end + marker.length),
  ]);
}

/** JSON that does not end the script it stands in. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

// a multiple of three bytes: only the last piece needs padding
const piece = 3 << 18;

function base64(data: Blob): Promise<string>[] {
  const pieces = Array.from({ length: Math.ceil(data.size / piece) }, (_, at) =>
    data.slice(at * piece, (at + 1) * piece),
  );
  return pieces.map(
    (one) =>
      new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(one);
      }),
  );
}

/** The one-file page that lies beside the hosted one. */
async function pageBeside(): Promise<string> {
  const address = new URL('crema.html', document.baseURI).href;
  const response = await fetch(address).catch(() => undefined);
  const page = response?.ok ? await response.text() : '';
  if (!page.includes(marker))
    throw new CoreError(`${address}: the one-file page is not beside this page`);
  return page;
}

/** This very page, which is one file, as it was before it was drawn. */
function ownSource(): string {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  delete copy.dataset.theme;
  forbidConnections(copy);
  for (const child of copy.querySelector('body')?.children ?? [])
    if (child.id === 'app') child.replaceChildren();
  return `<!doctype html>\n${copy.outerHTML}\n`;
}

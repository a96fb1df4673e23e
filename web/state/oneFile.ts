/** The page is one file: core, worker and styles are part of it. */
export const isOneFile = import.meta.env.MODE === 'single';

const policyTag = 'meta[http-equiv="Content-Security-Policy"]';
const nowhere = "connect-src 'none'";

/** Whether the page's policy lets it fetch: a one-file page forbids itself all connections. */
export function mayConnect(): boolean {
  return !document.querySelector<HTMLMetaElement>(policyTag)?.content.includes(nowhere);
}

/** Takes from a one-file `page` the connections its server allowed: copies are on their own. */
export function forbidConnections(page: ParentNode): void {
  const tag = page.querySelector<HTMLMetaElement>(policyTag);
  if (tag) tag.content = tag.content.replace(/connect-src [^;]*/, nowhere);
}

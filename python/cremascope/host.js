(name, follows) => {
  // One host per name, however often a cell is run.
  const hosts = (window.cremaHosts ??= new Set());
  if (hosts.has(name)) return;
  hosts.add(name);

  // A script runs before its own output is in the document, and moving a cell loads its frame anew: look each time.
  const frames = () => [...document.querySelectorAll(`iframe[name="${name}"]`)];
  const tell = (frame, message) => frame.contentWindow?.postMessage(message, '*');
  const theme = () => (document.body.dataset.jpThemeLight === 'false' ? 'dark' : 'light');
  const answered = new WeakMap();

  addEventListener('message', (event) => {
    // a frame without an origin says "null" for it: only its window tells who speaks
    const frame = frames().find((one) => one.contentWindow === event.source);
    if (frame && follows && event.data?.type === 'crema:fetch') {
      const { id, path } = event.data;
      const answer = (data) => tell(frame, { type: 'crema:file', id, data });
      readFor(frame, path).then(answer, () => answer());
    }
    if (!frame || event.data?.type !== 'crema:pong') return;
    if (follows && !answered.get(frame)) tell(frame, { type: 'crema:follow', name: follows.name });
    answered.set(frame, true);
    tell(frame, { type: 'crema:show', theme: theme() });
    for (const hint of document.querySelectorAll(`span.${name}, div.${name}`)) hint.remove();
    for (const link of document.querySelectorAll(`a.${name}`)) openInTab(link, frame);
  });

  // The frame may fetch nothing: this page reads the recording for it, and no other folder. Beside an older recording it
  // grows in a folder of its own, and moves at its end; what was written before the cell ran is another one.
  let folder;
  const readFor = async (frame, path) => {
    const { origin, pathname } = new URL(frame.src);
    const read = async (from) => {
      const response = await fetch(new URL(from + path, origin + pathname), { cache: 'no-store' });
      return response.ok ? response.arrayBuffer() : undefined;
    };
    if (path !== 'tasks.json') return folder && /^\w[\w.-]*$/.test(path) ? read(folder) : undefined;
    for (const one of follows.folders) {
      const index = await read(one);
      if (!index || !(JSON.parse(new TextDecoder().decode(index)).until >= follows.since)) continue;
      folder = one;
      return index;
    }
  };

  // JupyterLab opens links to files in a viewer that runs no script; a copy has no listener of its. The frame's address
  // without the server's query, which holds a token, is a page like any other.
  const openInTab = (link, frame) => {
    const { origin, pathname } = new URL(frame.src);
    const copy = link.cloneNode(true);
    copy.href = origin + pathname + (link.dataset.link ?? '');
    copy.className = '';
    copy.title = 'Open in a tab of its own';
    link.replaceWith(copy);
  };

  // Of a notebook without its folder the server shows an error in the frame: what stands in for the page is all there is.
  const checkMissing = async (frame) => {
    const { origin, pathname } = new URL(frame.src);
    const response = await fetch(origin + pathname, { method: 'HEAD' }).catch(() => undefined);
    if (response?.status !== 404 || answered.get(frame)) return;
    frame.remove();
    for (const hint of document.querySelectorAll(`span.${name}`))
      hint.textContent = '(its page is not beside this notebook: run the cell again)';
  };

  const seen = new WeakSet();
  setInterval(() => {
    for (const frame of frames()) {
      if (!seen.has(frame)) {
        seen.add(frame);
        frame.addEventListener('load', () => answered.delete(frame));
        setTimeout(checkMissing, 2000, frame);
      }
      if (!answered.get(frame)) tell(frame, { type: 'crema:ping' });
    }
  }, 500);
  new MutationObserver(() => {
    for (const frame of frames()) tell(frame, { type: 'crema:show', theme: theme() });
  }).observe(document.body, { attributeFilter: ['data-jp-theme-light'] });
}

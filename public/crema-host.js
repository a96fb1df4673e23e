// Speaks to a Crema page in a frame, or in a window that this page opened. No dependencies; copy it, or import it from where
// Crema is hosted. The messages are described in docs/embedding.md.

/**
 * @typedef {{ path: string, data: ArrayBuffer | ArrayBufferView | Blob | string }} File a path with "/" between folders
 * @typedef {{ id: number, title: string }} Run
 * @typedef {{ time?: [number, number], datasets?: string[], files?: string[], hosts?: string[], workers?: string[],
 *   prefixes?: string[], ranges?: { column: string, lo: number, hi: number }[] }} Selection {} = everything; time in seconds
 * @typedef {{ question: string, rows: number, columns: { name: string, type: string, unit: string, values: unknown[] }[],
 *   notes: Record<string, number | string | null> }} Table
 * @typedef {{ view: string, selection: Selection, hash: string }} State
 */

const firstPatience = 100;

/**
 * Waits until the page answers.
 * @param {HTMLIFrameElement | Window} target the frame, or what window.open() returned
 * @param {{ origin?: string, onState?: (state: State) => void, timeout?: number }} [settings]
 *   `origin`: where the page comes from; by default that of the frame's `src`. '*' for a sandboxed frame and for file:.
 *   `timeout`: milliseconds to wait, 30,000 by default.
 * @returns {Promise<Crema>} rejects when nothing answers
 */
export async function connect(target, { origin, onState, timeout = 30_000 } = {}) {
  const isFrame = 'contentWindow' in target;
  const crema = new Crema(
    () => /** @type {Window} */ (isFrame ? target.contentWindow : target),
    origin ?? (isFrame ? new URL(target.src, document.baseURI).origin : '*'),
    onState,
  );
  await crema.ready(timeout);
  return crema;
}

class Crema {
  #window;
  #origin;
  #onState;
  #last = 0;
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (problem: Error) => void }>} */
  #waiting = new Map();
  /** the page's version @type {string} */
  version = '';

  /**
   * @param {() => Window} window
   * @param {string} origin
   * @param {((state: State) => void) | undefined} onState
   */
  constructor(window, origin, onState) {
    this.#window = window;
    this.#origin = origin;
    this.#onState = onState;
    addEventListener('message', this.#hear);
  }

  /** Pings until the page answers: one that is being loaded hears nothing. @param {number} timeout */
  async ready(timeout) {
    const deadline = performance.now() + timeout;
    for (let patience = firstPatience; ; patience = Math.min(2 * patience, 1000)) {
      const pong = this.#call({ type: 'crema:ping' });
      const answer = await Promise.race([pong, new Promise((resolve) => setTimeout(resolve, patience))]);
      if (answer) {
        this.version = answer.version;
        return;
      }
      if (performance.now() > deadline) {
        this.leave();
        throw new Error('no Crema page answers');
      }
    }
  }

  /**
   * Opens runs beside those that are open. ArrayBuffers are handed over: they are empty here afterwards.
   * @param {string} name what the run is called, unless its files lie in folders
   * @param {File[]} files
   * @returns {Promise<{ runs: Run[], notes: string[] }>} notes: what could not be used, and why
   */
  open(name, files) {
    const buffers = files.map((file) => file.data).filter((data) => data instanceof ArrayBuffer);
    return this.#call({ type: 'crema:open', name, files }, [...new Set(buffers)]);
  }

  /**
   * One answer, as `crema ask --json` prints it.
   * @param {string} question such as "summary"
   * @param {{ run?: number | number[], selection?: Selection, options?: Record<string, string | number | boolean> }} [about]
   *   without `run`: the run that is shown; without `selection`: all of it
   * @returns {Promise<Table>}
   */
  async ask(question, about = {}) {
    return (await this.#call({ type: 'crema:ask', question, ...about })).table;
  }

  /** Changes what is shown. @param {{ view?: string, selection?: Selection, theme?: 'light' | 'dark' }} what */
  show(what) {
    this.#post({ type: 'crema:show', ...what });
  }

  /** Stops listening. What is asked and not yet answered stays so. */
  leave() {
    removeEventListener('message', this.#hear);
  }

  /** @returns {Promise<any>} @param {object} message @param {Transferable[]} [transfer] */
  #call(message, transfer = []) {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ ...message, id }, transfer);
    });
  }

  /** @param {object} message @param {Transferable[]} [transfer] */
  #post(message, transfer = []) {
    this.#window()?.postMessage(message, this.#origin, transfer);
  }

  /** @param {string} origin */
  #isFrom(origin) {
    return this.#origin === '*' || origin === new URL(this.#origin, document.baseURI).origin;
  }

  /** @param {MessageEvent} event */
  #hear = ({ source, origin, data }) => {
    // the window may have gone elsewhere: then another page speaks from it
    if (source !== this.#window() || !this.#isFrom(origin) || typeof data?.type !== 'string') return;
    if (data.type === 'crema:state') this.#onState?.({ view: data.view, selection: data.selection, hash: data.hash });
    const waiting = this.#waiting.get(data.id);
    if (!waiting) return;
    this.#waiting.delete(data.id);
    if (data.type === 'crema:error') waiting.reject(new Error(data.message));
    else waiting.resolve(data);
  };
}

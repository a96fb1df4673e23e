/** A browser as the tests use it: what a user does and sees. One implementation per engine. */
export interface Driver {
  readonly browser: string;
  /** Opens a page that remembers nothing of those before it. */
  open(url: string): Promise<void>;
  /**
   * Looks for targets in the frame that matches, from now on and until the next `open`; without
   * one, in the page again.
   */
  within(frame?: Target): Promise<void>;
  /** The browser's own buttons. */
  back(): Promise<void>;
  forward(): Promise<void>;
  reload(): Promise<void>;
  /** Drops files and folders of this machine on the page. */
  drop(paths: string[]): Promise<void>;
  /** Clicks `target`, which asks for files, and chooses these. */
  choose(target: Target, paths: string[]): Promise<void>;
  click(target: Target): Promise<void>;
  /** Presses a key on what has the focus: "Escape", "2", "Control+a". */
  key(key: string): Promise<void>;
  type(target: Target, text: string): Promise<void>;
  /** Chooses `value` of a list. */
  select(target: Target, value: string): Promise<void>;
  /** The value that one choice of a list stands for. */
  value(target: Target): Promise<string>;
  /** Drags along the middle of `target`, between fractions of its width. */
  drag(target: Target, from: number, to: number): Promise<void>;
  /** Moves the pointer to fractions of the width and height of `target`, and presses there. */
  point(target: Target, across: number, down: number, press?: 'click' | 'double'): Promise<void>;
  /** Turns the wheel over the middle of `target`. */
  wheel(target: Target, turn: number, held?: 'Control'): Promise<void>;
  /**
   * The text as it is shown, with plain spaces. Waits until `target` is there and its text holds
   * `expected`.
   */
  read(target: Target, expected?: RegExp | string): Promise<string>;
  /** The texts of all that match now. */
  readAll(target: Target): Promise<string[]>;
  /** Waits until nothing matches. */
  gone(target: Target): Promise<void>;
  /** Clicks `target` and returns the file that is then saved. */
  save(target: Target): Promise<{ name: string; content: Uint8Array }>;
  /** Presses a key and returns the file that is then saved. */
  saveBy(key: string): Promise<{ name: string; content: Uint8Array }>;
  /** An attribute of the first that matches; '' when it has none. */
  attribute(target: Target, name: string): Promise<string>;
  /** Where the page is: what a user would copy from the address bar. */
  address(): Promise<string>;
  /** Makes the window that large [CSS px]. */
  resize(width: number, height: number): Promise<void>;
  picture(): Promise<Uint8Array>;
  /** Runs a script in the page and returns what it evaluates to: for what no user sees. */
  evaluate(script: string): Promise<unknown>;
  /**
   * The addresses that the page has asked for since it was opened, blob: and data: left out. In
   * WebKit without its workers'.
   */
  requests(): Promise<string[]>;
  /**
   * What the page's scripts hold, after what they no longer need was collected [byte]. Only
   * Chromium tells it.
   */
  usedHeap?(): Promise<number>;
  /** What the page complained about since it was opened: errors, failed policies. */
  complaints(): Promise<string[]>;
  close(): Promise<void>;
}

/** A test id ("tile-elapsed") or, with anything else in it, a CSS selector. */
export type Target = string;

export function selectorOf(target: Target): string {
  return /^[\w:-]+$/.test(target) ? `[data-testid="${target}"]` : target;
}

/** Blobs and data are within the page. */
export const leavesPage = (address: string): boolean => !/^(blob|data):/.test(address);

/** Thin and narrow spaces, and where no line may end, are a matter of looks. */
export function plainText(shown: string): string {
  return shown.replaceAll('\u2060', '').replace(/\s+/g, ' ').trim();
}

/**
 * A core in two halves (scripts/split-core.mjs): the first runs alone until something calls into
 * the second.
 */

/** The first half, compiled, and the address of the second. */
export interface Halves {
  first: WebAssembly.Module;
  rest: string;
}

type Call = (...values: unknown[]) => unknown;

/** The module of what stands where the first half calls the second, by its place in the table. */
const placeholders = 'p';
/** Under which name the second half imports from the first. */
const primary = 'f';
/** With what the names begin that the first half exports for the second. */
const shared = '%';

/** Puts the halves together: `imports` is what the first half needs besides. */
export class JoinedHalves {
  readonly #halves: Halves;
  #instance: WebAssembly.Instance | undefined;
  #table: WebAssembly.Table | undefined;
  #arrived = false;
  #arriving: Promise<void> | undefined;

  constructor(halves: Halves) {
    this.#halves = halves;
  }

  /** The first half, at work. */
  async start(imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
    const calls: Record<string, Call> = {};
    for (const { module, name } of WebAssembly.Module.imports(this.#halves.first)) {
      if (module !== placeholders) continue;
      calls[name] = (...values) => {
        this.#fetchNow();
        this.#table ??= this.#findTable();
        return (this.#table.get(Number(name)) as Call)(...values);
      };
    }
    this.#instance = await WebAssembly.instantiate(this.#halves.first, {
      ...imports,
      [placeholders]: calls,
    });
    return this.#instance;
  }

  /** Fetches the second half, if it is not there yet; the next call tries again what failed. */
  arrive(): Promise<void> {
    this.#arriving ??= this.#fetch().catch((problem: unknown) => {
      this.#arriving = undefined;
      throw problem;
    });
    return this.#arriving;
  }

  async #fetch(): Promise<void> {
    if (this.#arrived) return;
    const response = await fetch(this.#halves.rest);
    if (!response.ok) throw new Error(missing(this.#halves.rest, response.status));
    this.#join(await WebAssembly.compile(await response.arrayBuffer()));
  }

  /** Somebody is in the middle of a call that needs it: a worker may wait. */
  #fetchNow(): void {
    if (this.#arrived) return;
    const request = new XMLHttpRequest();
    request.open('GET', this.#halves.rest, false);
    request.responseType = 'arraybuffer';
    request.send();
    if (request.status !== 200) throw new Error(missing(this.#halves.rest, request.status));
    this.#join(new WebAssembly.Module(request.response));
  }

  /** From here on the first half's table leads to the second. */
  #join(rest: WebAssembly.Module): void {
    if (this.#arrived || !this.#instance) return;
    this.#arrived = true;
    new WebAssembly.Instance(rest, { [primary]: this.#instance.exports });
  }

  /** That of the placeholders: their own (wasm-split from 117 on), or the core's only one. */
  #findTable(): WebAssembly.Table {
    const tables = Object.entries(this.#instance?.exports ?? {}).filter(
      (one): one is [string, WebAssembly.Table] => one[1] instanceof WebAssembly.Table,
    );
    const own = tables.find(([name]) => name.startsWith(shared)) ?? tables[0];
    if (!own) throw new Error('the first half of the core exports no table');
    return own[1];
  }
}

const missing = (address: string, status: number) =>
  `${address}, the second half of the core: the server answers ${status}`;

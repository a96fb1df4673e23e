/** Answers of the core as typed arrays; mirrors `crema::Table`. */
import type { ColumnsOf, NumbersOf, QuestionName, TextsOf } from './questions';

export interface NumberColumn {
  name: string;
  type: 'number' | 'flag';
  /** "s", "byte", "1", "count", or the unit an id names ("Gbps") */
  unit: string;
  /** how a derived column is computed, one line; '' for what the bundle says itself */
  formula: string;
  /** a row holds a list of `width` numbers, even when it is one or none */
  matrix?: boolean;
  /** numbers per row (row-major) */
  width: number;
  /** NaN = missing */
  numbers: Float64Array;
}

export interface TextColumn {
  name: string;
  type: 'text';
  unit: string;
  formula: string;
  width: 1;
  /** indices into `Table.strings`; `missingText` = missing */
  texts: Uint32Array;
}

export type Column = NumberColumn | TextColumn;

export const missingText = 0xffffffff;

/** What crosses the worker boundary: plain data, so that it can be posted and transferred. */
export interface TableData {
  question: string;
  rows: number;
  columns: Column[];
  strings: string[];
  notes: Record<string, number | string>;
}

/**
 * A number of an answer. It is like any other; only its type is known, so that a test can list what
 * views reckon with it (tests/web/arithmetic.test.ts).
 */
export type Answered = number & { readonly answered?: never };

/** The numbers of a column. */
export interface AnsweredNumbers extends Float64Array {
  [row: number]: Answered;
}

/** A row of an answer: NaN and '' where something is missing. */
export type Row<Q extends QuestionName> = Readonly<
  Record<NumbersOf<Q>, Answered> & Record<TextsOf<Q>, string>
>;

/** The answer to question `Q`: a column that it does not have does not compile. */
export class Table<Q extends QuestionName = QuestionName> implements TableData {
  readonly question: string;
  readonly rows: number;
  readonly columns: Column[];
  readonly strings: string[];
  readonly notes: Record<string, number | string>;
  readonly #byName: Map<string, Column>;

  constructor(data: TableData) {
    this.question = data.question;
    this.rows = data.rows;
    this.columns = data.columns;
    this.strings = data.strings;
    this.notes = data.notes;
    this.#byName = new Map(data.columns.map((column) => [column.name, column]));
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  column(name: ColumnsOf<Q>): Column {
    const column = this.#byName.get(name);
    if (!column) throw new Error(`${this.question} has no column ${name}`);
    return column;
  }

  numbers(name: NumbersOf<Q>): AnsweredNumbers {
    const column = this.column(name);
    if (column.type === 'text') throw new Error(`${this.question}.${name} is text`);
    return column.numbers;
  }

  number(name: NumbersOf<Q>, row: number): Answered {
    return this.numbers(name)[row] ?? Number.NaN;
  }

  /** The texts of a column, as indices into `strings`. */
  texts(name: TextsOf<Q>): Uint32Array {
    const column = this.column(name);
    if (column.type !== 'text') throw new Error(`${this.question}.${name} is not text`);
    return column.texts;
  }

  /** The text at `row`; undefined when it is missing. */
  text(name: TextsOf<Q>, row: number): string | undefined {
    return this.strings[this.texts(name)[row] ?? missingText];
  }

  /** These rows; what no one reads of them is not gathered. */
  picked(rows: ArrayLike<number>, notes = this.notes): Table<Q> {
    const columns = this.columns.map((column): Column => {
      const { width } = column;
      const gather = <T extends Float64Array | Uint32Array>(from: T, to: T): T => {
        for (let i = 0; i < to.length; i += 1)
          to[i] = from[(rows[Math.floor(i / width)] as number) * width + (i % width)] as number;
        return to;
      };
      let made: Float64Array | Uint32Array | undefined;
      return column.type === 'text'
        ? {
            ...column,
            get texts() {
              made ??= gather(column.texts, new Uint32Array(rows.length));
              return made as Uint32Array;
            },
          }
        : {
            ...column,
            get numbers() {
              made ??= gather(column.numbers, new Float64Array(rows.length * width));
              return made as Float64Array;
            },
          };
    });
    return new Table<Q>({ ...this, rows: rows.length, columns, notes });
  }

  /** The first row whose text column `name` holds `key`; -1 when there is none. */
  rowOf(name: TextsOf<Q>, key: string): number {
    const id = this.strings.indexOf(key);
    return id < 0 ? -1 : this.texts(name).indexOf(id);
  }
}

/** A number among the notes; NaN when it is not there. */
export function noteNumber(table: Table | undefined, name: string): Answered {
  const note = table?.notes[name];
  return typeof note === 'number' ? note : Number.NaN;
}

const rowsMade = new WeakMap<Table, unknown>();

/**
 * The rows as objects, made once for each table, for answers of some hundred rows; longer ones are
 * read column by column.
 */
export function rowsOf<Q extends QuestionName>(table: Table<Q> | undefined): readonly Row<Q>[] {
  if (!table) return [];
  const known = rowsMade.get(table) as Row<Q>[] | undefined;
  if (known) return known;
  const rows = Array.from({ length: table.rows }, (_, row) => {
    const values: Record<string, number | string> = {};
    for (const column of table.columns) {
      values[column.name] =
        column.type === 'text'
          ? (table.strings[column.texts[row] ?? missingText] ?? '')
          : (column.numbers[row * column.width] ?? Number.NaN);
    }
    return values as Row<Q>;
  });
  rowsMade.set(table, rows);
  return rows;
}

import { type Row, rowsOf, type Table } from '../engine/table';

type Rule = Row<'rules'>;

/** How the checks of a run came out: a check without its data has not passed. */
export interface Checks {
  passed: readonly Rule[];
  /** what was not recorded that checks need, and how many of them */
  missing: readonly string[];
  notRun: number;
  ran: number;
  all: number;
}

const isRecorded = (rule: Rule): boolean => rule.recorded === 1;

export function checksOf(table: Table<'rules'>, found: readonly { id: string }[]): Checks {
  const rules = rowsOf(table);
  const ids = new Set(found.map(({ id }) => id));
  const notRun = rules.filter((rule) => !isRecorded(rule));
  return {
    passed: rules.filter((rule) => isRecorded(rule) && !ids.has(rule.id)),
    missing: [...new Set(notRun.map(({ needs }) => needs))],
    notRun: notRun.length,
    ran: rules.length - notRun.length,
    all: rules.length,
  };
}

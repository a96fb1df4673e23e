import type { Table } from '../../engine/table';

/** Says so only of an answer that is there: while it is awaited the line is kept free. */
export const Missing = ({ table }: { table: Table | undefined }) =>
  table ? <p class="missing">not recorded</p> : <p>{'\u00a0'}</p>;

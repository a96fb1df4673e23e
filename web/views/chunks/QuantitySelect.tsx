import { quantityOf, quantityTitle } from '../../domain/columns';
import { Select, type SelectProps } from '../common/Select';

/** Which quantity of the chunks. */
export const QuantitySelect = ({
  columns,
  ...rest
}: Omit<SelectProps<string>, 'options'> & { columns: readonly string[] }) => (
  <Select {...rest} options={columns.map((id) => ({ id, title: quantityTitle(quantityOf(id)) }))} />
);

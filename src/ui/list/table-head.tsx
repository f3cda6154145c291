/** The head of a list's table: names of the columns, sorting, and the check box for all rows. */
import { Checkbox } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useTranslation } from '../i18n/index.ts';
import type { ColumnSorting, ListColumn } from './columns.ts';
import classes from './data-table.module.css';
import type { RowSelection } from './use-row-selection.ts';

interface TableHeadProps<T> {
  readonly columns: readonly ListColumn<T>[];
  readonly selection: RowSelection<T> | undefined;
  readonly sorting: ColumnSorting | undefined;
}

export function TableHead<T>({ columns, selection, sorting }: TableHeadProps<T>) {
  const { t } = useTranslation();
  return (
    <thead>
      <tr>
        {selection !== undefined && (
          <th className={classes.check}>
            <Checkbox
              size="xs"
              aria-label={t('common.selectAll')}
              checked={selection.all}
              indeterminate={selection.some && !selection.all}
              onChange={selection.toggleAll}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell
            key={column.key}
            column={column}
            sorting={column.sortable ? sorting : undefined}
          />
        ))}
      </tr>
    </thead>
  );
}

function HeadCell<T>({
  column,
  sorting,
}: {
  column: ListColumn<T>;
  sorting: ColumnSorting | undefined;
}) {
  const { key, label, width } = column;
  const sorted = sorting?.column === key ? sorting.direction : undefined;
  const Arrow = sorted === undefined ? ChevronsUpDown : sorted === 'asc' ? ArrowUp : ArrowDown;
  const order = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none';
  return (
    <th
      data-numeric={column.numeric || undefined}
      aria-sort={sorting === undefined ? undefined : order}
      // A cell is as wide as its width says, whatever else is in the table.
      style={width === undefined ? undefined : { width, minWidth: width, maxWidth: width }}
    >
      {sorting === undefined ? (
        <span className={column.bare ? classes.hidden : undefined}>{label}</span>
      ) : (
        <button
          type="button"
          className={classes.sort}
          data-sorted={sorted}
          onClick={() => sorting.onSort(key)}
        >
          {label}
          <Arrow size={14} aria-hidden="true" />
        </button>
      )}
    </th>
  );
}

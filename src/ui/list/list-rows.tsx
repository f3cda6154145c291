/** The rows of a list: a table, or cards on phones. */
import { Checkbox } from '@mantine/core';
import { SquareCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePhone, useTablet } from '../hooks/use-phone.ts';
import { useTranslation } from '../i18n/index.ts';
import { CardList, RowCard } from './card-list.tsx';
import type {
  ColumnSorting,
  Expansion,
  ListColumn,
  RowState,
  ScreenColumn,
  Selection,
} from './columns.ts';
import { ListTable } from './data-table.tsx';
import { type RowAction, RowActionMenu, RowActions } from './row-actions.tsx';
import type { Columns } from './use-columns.ts';
import type { RowKey } from './use-list.ts';
import { useRowSelection } from './use-row-selection.ts';

export interface ListRowsProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => RowKey;
  readonly nameOf: (row: Row) => string;
  /** Names the list for screen readers. */
  readonly label: string;
  readonly columns: readonly ScreenColumn<Row>[];
  readonly settings: Columns;
  readonly rowHeight: 48 | 42;
  readonly rowState: ((row: Row) => RowState) | undefined;
  readonly sorting: ColumnSorting | undefined;
  readonly rowActions: readonly RowAction<Row>[] | undefined;
  readonly onOpen: ((row: Row) => void) | undefined;
  readonly expansion: Expansion<Row> | undefined;
  readonly card: ((row: Row) => ReactNode) | undefined;
  readonly logo: ((row: Row) => ReactNode) | undefined;
  readonly selection: Selection<Row> | undefined;
}

export function ListRows<Row>(props: ListRowsProps<Row>) {
  return usePhone() ? <Cards {...props} /> : <Table {...props} />;
}

function Table<Row>(props: ListRowsProps<Row>) {
  const {
    rows,
    keyOf,
    nameOf,
    label,
    columns,
    settings,
    rowHeight,
    rowState,
    sorting,
    rowActions,
    onOpen,
  } = props;
  const { t } = useTranslation();
  const Actions = useTablet() ? RowActionMenu : RowActions;
  const actions: ListColumn<Row> = {
    key: 'actions',
    label: t('common.column.actions'),
    bare: true,
    numeric: true,
    render: (row) => <Actions row={row} name={nameOf(row)} actions={rowActions ?? []} />,
  };
  return (
    <ListTable<Row>
      rows={rows}
      columns={rowActions === undefined ? columns : [...columns, actions]}
      choices={settings.choices}
      density={settings.density}
      rowHeight={rowHeight}
      keyOf={keyOf}
      label={label}
      rowState={rowState}
      onOpen={onOpen}
      selection={props.selection}
      expansion={props.expansion}
      sorting={sorting}
    />
  );
}

function Cards<Row>({
  rows,
  keyOf,
  nameOf,
  label,
  columns,
  rowState,
  rowActions = [],
  card,
  logo,
  ...props
}: ListRowsProps<Row>) {
  const { t } = useTranslation();
  const selection = useRowSelection(rows, keyOf, props.selection);
  const selecting = selection?.some === true;
  /** Begins a selection; then each card has its check box. */
  const select: RowAction<Row> = {
    key: 'select',
    label: t('common.select.begin'),
    icon: SquareCheck,
    when: (row) => !selecting && selection?.canSelect(row) === true,
    onAct: (row) => selection?.toggle(row, false),
  };
  const actions = [
    ...rowActions.filter(({ danger }) => danger !== true),
    select,
    ...rowActions.filter(({ danger }) => danger),
  ];
  const checkOf = (row: Row) =>
    selection?.canSelect(row) && (
      <Checkbox
        size="sm"
        aria-label={t('common.select', { name: nameOf(row) })}
        checked={selection.has(row)}
        onChange={() => selection.toggle(row, false)}
      />
    );
  const at = (place: string, row: Row) =>
    columns.flatMap((column) => {
      if (column.card?.place !== place) return [];
      return [
        {
          label: column.card.label ?? column.label,
          value: (column.card.render ?? column.render)(row),
        },
      ];
    });
  const draw = (row: Row) => (
    <RowCard
      {...(selecting && { check: checkOf(row) })}
      logo={logo?.(row)}
      name={nameOf(row)}
      second={at('second', row)[0]?.value}
      status={at('status', row)[0]?.value}
      figures={at('figure', row)}
      dimmed={rowState?.(row)?.startsWith('dimmed')}
      menu={<RowActionMenu row={row} name={nameOf(row)} actions={actions} />}
    />
  );
  return (
    <CardList
      rows={rows}
      keyOf={keyOf}
      label={label}
      render={card ?? draw}
      isSelected={selection?.has}
    />
  );
}

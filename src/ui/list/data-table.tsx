/**
 * The table of a list: full width of the sheet, sticky head, one hairline per row; rows by keyboard (↑↓ move, Enter
 * opens, Space selects). docs/rules/console.md#tables.
 */
import { DataTable, type DataTableColumn, type DataTableSelectionProps, type DataTableSortProps } from 'mantine-datatable';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';
import type { ColumnChoice, Density } from './use-columns.ts';

export interface ListColumn<T> {
  readonly key: string;
  readonly label: string;
  readonly render: (row: T) => ReactNode;
  readonly numeric?: boolean;
  readonly width?: number | string;
  readonly sortable?: boolean;
  /** Not named in the head: actions. The name stays for screen readers. */
  readonly bare?: boolean;
}

export interface Selection<T> {
  readonly selected: readonly T[];
  readonly onChange: (rows: readonly T[]) => void;
  readonly nameOf: (row: T) => string;
  readonly selectable?: (row: T) => boolean;
}

export interface Expansion<T> {
  readonly open: readonly unknown[];
  /** `keep`: Shift was held, other rows stay open. */
  readonly onToggle: (row: T, keep: boolean) => void;
  readonly content: (row: T) => ReactNode;
  readonly expandable?: (row: T) => boolean;
}

export interface ColumnSorting {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  readonly onSort: (column: string) => void;
}

interface ListTableProps<T> {
  readonly rows: readonly T[];
  readonly columns: readonly ListColumn<T>[];
  readonly choices: readonly ColumnChoice[];
  readonly density: Density;
  /** Comfortable row height: 48 for two-line cells, 42 for logs. */
  readonly rowHeight: 48 | 42;
  readonly keyOf: (row: T) => string | number;
  readonly label: string;
  readonly selection?: Selection<T> | undefined;
  readonly expansion?: Expansion<T> | undefined;
  readonly sorting?: ColumnSorting | undefined;
  readonly rowState?: ((row: T) => 'dimmed' | 'parent' | 'child' | undefined) | undefined;
  /** Enter on a row that does not expand. */
  readonly onOpen?: ((row: T) => void) | undefined;
}

export function ListTable<T>(props: ListTableProps<T>) {
  const { rows, columns, choices, density, rowHeight, keyOf, label, selection, expansion, sorting, rowState, onOpen } = props;
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const current = Math.min(active, Math.max(0, rows.length - 1));

  const tableColumns = useMemo(
    () =>
      choices
        .filter((choice) => choice.shown)
        .flatMap((choice) => columns.filter((column) => column.key === choice.key))
        .map(
          (column): DataTableColumn<T> => ({
            accessor: column.key,
            title: column.bare ? <span className={classes.hidden}>{column.label}</span> : column.label,
            textAlign: column.numeric ? 'right' : 'left',
            sortable: column.sortable ?? false,
            render: column.render,
            ...(column.width === undefined ? {} : { width: column.width }),
          }),
        ),
    [choices, columns],
  );

  const focusRow = (index: number) => {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    setActive(target);
    root.current?.querySelector<HTMLElement>(`tr[data-row="${target}"]`)?.focus();
  };
  const toggleSelected = (row: T) => {
    if (selection === undefined || selection.selectable?.(row) === false) return;
    const key = keyOf(row);
    const without = selection.selected.filter((other) => keyOf(other) !== key);
    selection.onChange(without.length < selection.selected.length ? without : [...selection.selected, row]);
  };
  const canExpand = (row: T) => expansion !== undefined && expansion.expandable?.(row) !== false;
  const pressKey = (event: KeyboardEvent<HTMLElement>, row: T, index: number) => {
    if (event.target !== event.currentTarget) {
      // Escape inside a row's widgets leads back to the row.
      if (event.key === 'Escape') event.currentTarget.focus();
      return;
    }
    const steps: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 };
    const step = steps[event.key];
    if (step !== undefined) focusRow(step);
    else if (event.key === 'Enter') canExpand(row) ? expansion?.onToggle(row, event.shiftKey) : onOpen?.(row);
    else if (event.key === ' ') selection === undefined ? expansion?.onToggle(row, event.shiftKey) : toggleSelected(row);
    else if (event.key === 'Escape' && expansion?.open.includes(keyOf(row))) expansion.onToggle(row, true);
    else return;
    event.preventDefault();
  };

  const sortProps: DataTableSortProps<T> =
    sorting === undefined
      ? {}
      : {
          sortStatus: { columnAccessor: sorting.column, direction: sorting.direction },
          onSortStatusChange: ({ columnAccessor }) => sorting.onSort(String(columnAccessor)),
        };
  const selectionProps: DataTableSelectionProps<T> =
    selection === undefined
      ? {}
      : {
          selectedRecords: [...selection.selected],
          onSelectedRecordsChange: selection.onChange,
          isRecordSelectable: (row) => selection.selectable?.(row) ?? true,
          selectionCheckboxProps: { size: 'xs' },
          selectionColumnClassName: classes.check ?? '',
          allRecordsSelectionCheckboxProps: { size: 'xs', 'aria-label': t('common.selectAll') },
          getRecordSelectionCheckboxProps: (row) => ({
            'aria-label': t('common.select', { name: selection.nameOf(row) }),
            ...(selection.selectable?.(row) === false ? { style: { visibility: 'hidden' } } : {}),
          }),
        };

  return (
    <div
      ref={root}
      className={classes.root}
      data-density={density}
      data-rows={rowHeight}
      data-selectable={selection !== undefined || undefined}
    >
      <DataTable<T>
        aria-label={label}
        height="100%"
        withTableBorder={false}
        borderColor="var(--tp-rule)"
        rowBorderColor="var(--tp-rule)"
        records={rows as T[]}
        columns={tableColumns}
        idAccessor={(row) => keyOf(row)}
        pinFirstColumn
        pinLastColumn
        horizontalSpacing={12}
        verticalAlign="center"
        emptyState={<span />}
        rowClassName={(row) => classes[rowState?.(row) ?? 'row'] ?? ''}
        customRowAttributes={(row, index) => ({
          'data-row': index,
          tabIndex: index === current ? 0 : -1,
          onFocus: () => setActive(index),
          onKeyDown: (event: KeyboardEvent<HTMLElement>) => pressKey(event, row, index),
        })}
        {...(expansion === undefined
          ? {}
          : {
              onRowClick: ({ record, event }) => {
                if (canExpand(record) && !isControl(event.target)) expansion.onToggle(record, event.shiftKey);
              },
              rowExpansion: {
                trigger: 'never' as const,
                allowMultiple: true,
                expanded: { recordIds: [...expansion.open], onRecordIdsChange: () => {} },
                collapseProps: { transitionDuration: 0 },
                content: ({ record }: { record: T }) => <div className={classes.expansion}>{expansion.content(record)}</div>,
              },
            })}
        {...sortProps}
        {...selectionProps}
      />
    </div>
  );
}

/** Clicks on a row's own buttons, links and fields are theirs, and so is selecting text. */
function isControl(target: EventTarget): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('a, button, input, textarea, [role="dialog"], [role="menu"]') !== null) return true;
  return window.getSelection()?.type === 'Range';
}

/**
 * A list from its declaration: header, filters, table or cards, batch bar, pager, and what stands
 * where rows would.
 */
import { Button, VisuallyHidden } from '@mantine/core';
import { ListChecks, PencilLine, Plus, SquareCheck } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { formatCount } from '../../core/pricing/format.ts';
import type { StorageKey } from '../browser/local-storage.ts';
import { ListPage, PageHeader } from '../components/page.tsx';
import { EmptyState, FailedState, LoadingRows, NoMatchState } from '../components/states.tsx';
import { usePhone, useTablet } from '../hooks/use-phone.ts';
import { useTranslation } from '../i18n/index.ts';
import { BulkAction, BulkBar } from './bulk-bar.tsx';
import { ColumnMenu } from './column-menu.tsx';
import {
  type ColumnSorting,
  type Expansion,
  type RowState,
  type ScreenColumn,
  statusFirst,
} from './columns.ts';
import type { ListFilter } from './filters.ts';
import { ListFilters, ListTimeFilter } from './list-filters.tsx';
import { ListRows, type ListRowsProps } from './list-rows.tsx';
import { Pager } from './pager.tsx';
import { type BatchAction, BatchActions, type RowAction } from './row-actions.tsx';
import { useColumns } from './use-columns.ts';
import type { List } from './use-list.ts';
import { useScrollMemory } from './use-scroll-memory.ts';

export interface ListScreenProps<Row, Name extends string> {
  readonly list: List<Row, Name>;
  readonly title: string;
  /** Beside the title; the number of rows unless given. Null: nothing. */
  readonly count?: number | null | undefined;
  /** One sentence under the title; phones leave it out. */
  readonly subtitle?: string | undefined;
  /** What runs now: stands in place of the subtitle, on phones too. */
  readonly progress?: string | undefined;
  /** Actions of the page, quiet ones first; `create` follows them. */
  readonly actions?: ReactNode;
  readonly create?: { readonly label: string; readonly onCreate: () => void };
  /** Between header and filters. */
  readonly note?: ReactNode;
  readonly filters: readonly ListFilter<Name>[];
  readonly onRefresh: () => void;

  readonly nameOf: (row: Row) => string;
  readonly columns: readonly ScreenColumn<Row>[];
  readonly columnsKey: StorageKey;
  readonly rowHeight?: 48 | 42;
  readonly rowState?: (row: Row) => RowState;
  readonly sorting?: ColumnSorting;
  readonly rowActions?: readonly RowAction<Row>[];
  readonly onOpen?: (row: Row) => void;
  readonly expansion?: Expansion<Row>;
  /** The card of a phone where columns cannot say how it looks, or its logo where they can. */
  readonly card?: (row: Row) => ReactNode;
  readonly logo?: (row: Row) => ReactNode;
  readonly batch?: {
    readonly label: string;
    readonly actions: readonly BatchAction<Row>[];
    readonly selectable?: (row: Row) => boolean;
    /** One change of all selected rows, or of all rows that the filters select. */
    readonly bulk?: {
      readonly label: string;
      readonly all: (count: string) => string;
      readonly allSelected: (count: string) => string;
      /** Rows of all pages; undefined: they cannot be selected together. */
      readonly total: number | undefined;
      /** Null: all that the filters select. */
      readonly onOpen: (rows: readonly Row[] | null) => void;
    };
  };
  readonly texts: { readonly failed: string; readonly noMatch: string };
  /** Shown instead of "no match" when there is nothing yet, filtered or not. */
  readonly empty: {
    readonly title: string;
    readonly text: string;
    /** The button; `create` unless given. */
    readonly action?: ReactNode;
    /** No rows mean that there is nothing yet; by default when no filter is set. */
    readonly when?: boolean;
  };
  /** Drawers and dialogs. */
  readonly children?: ReactNode;
}

export function ListScreen<Row, Name extends string>(props: ListScreenProps<Row, Name>) {
  const { list, title, filters, create, empty, texts, batch } = props;
  const { t } = useTranslation();
  const phone = usePhone();
  const columns =
    useTablet() && props.rowActions !== undefined ? statusFirst(props.columns) : props.columns;
  const actionColumn = { key: 'actions', label: t('common.column.actions'), fixed: true };
  const settings = useColumns(
    props.columnsKey,
    props.rowActions === undefined ? columns : [...columns, actionColumn],
  );
  const { rows } = list;
  const page = useRef<HTMLDivElement>(null);
  useScrollMemory(page, list.view, rows !== undefined);
  const isEmpty = rows?.length === 0 && (empty.when ?? !list.filtered);
  const createButton = create !== undefined && (
    <Button leftSection={<Plus size={16} />} onClick={create.onCreate}>
      {create.label}
    </Button>
  );
  const headerActions = (
    <>
      {phone && <ListTimeFilter list={list} filters={filters} />}
      {props.actions}
      {createButton}
    </>
  );
  const body = () => {
    if (rows === undefined) {
      if (list.error !== null)
        return <FailedState title={texts.failed} error={list.error} onRetry={list.refetch} />;
      return <LoadingRows rows={8} height={props.rowHeight ?? 48} />;
    }
    if (isEmpty)
      return (
        <EmptyState title={empty.title} text={empty.text} action={empty.action ?? createButton} />
      );
    if (rows.length === 0) return <NoMatchState title={texts.noMatch} onClear={list.clearAll} />;
    return <ListRows {...rowsProps} rows={rows} />;
  };
  const { keyOf, selected, select } = list;
  const [allIn, setAllIn] = useState<string>();
  const selectable = rows?.filter((row) => batch?.selectable?.(row) ?? true) ?? [];
  const isPage = selected.length > 0 && selected.length === selectable.length;
  const bulk = batch?.bulk;
  const hasMore = bulk?.total !== undefined && bulk.total > selected.length;
  const isAll = isPage && hasMore && allIn === list.view;
  const allCount = formatCount(bulk?.total ?? 0);
  const {
    nameOf,
    rowState,
    sorting,
    rowActions,
    onOpen,
    expansion,
    card,
    logo,
    rowHeight = 48,
  } = props;
  const selection = batch && {
    selected: [...selected],
    onChange: select,
    nameOf,
    ...(batch.selectable === undefined ? {} : { selectable: batch.selectable }),
  };
  const rowsProps: Omit<ListRowsProps<Row>, 'rows'> = {
    keyOf,
    nameOf,
    columns,
    settings,
    rowHeight,
    rowState,
    sorting,
    rowActions,
    onOpen,
    expansion,
    card,
    logo,
    selection,
    label: title,
  };
  return (
    <ListPage ref={page}>
      <PageHeader
        title={title}
        count={props.count === null ? undefined : (props.count ?? list.total)}
        sentence={props.progress ?? (phone ? undefined : props.subtitle)}
        actions={isEmpty ? undefined : headerActions}
      />
      {props.note}
      <ListFilters
        list={list}
        filters={filters}
        end={<ColumnMenu columns={settings} />}
        onRefresh={props.onRefresh}
      />
      {/* Heard when a search or a filter has found something else. */}
      <VisuallyHidden role="status">
        {rows !== undefined &&
          list.total !== undefined &&
          t('common.found', { count: list.total, n: formatCount(list.total) })}
      </VisuallyHidden>
      {body()}
      {batch !== undefined && (
        <BulkBar
          count={selected.length}
          text={isAll ? bulk?.allSelected(allCount) : undefined}
          label={batch.label}
          onClear={() => {
            setAllIn(undefined);
            select([]);
          }}
        >
          {phone && !isPage && (
            <BulkAction
              icon={<SquareCheck size={16} />}
              label={t('common.selectAll')}
              selects
              onClick={() => select(selectable)}
            />
          )}
          {isPage && hasMore && !isAll && (
            <BulkAction
              icon={<ListChecks size={16} />}
              label={bulk?.all(allCount) ?? ''}
              selects
              onClick={() => setAllIn(list.view)}
            />
          )}
          {bulk !== undefined && (
            <BulkAction
              icon={<PencilLine size={16} />}
              label={bulk.label}
              onClick={() => bulk.onOpen(isAll ? null : selected)}
            />
          )}
          {!isAll && <BatchActions rows={selected} actions={batch.actions} />}
        </BulkBar>
      )}
      <Pager
        page={list.page}
        pageSize={list.pageSize}
        total={list.total ?? 0}
        onPage={list.goTo}
        onPageSize={list.setPageSize}
      />
      {props.children}
    </ListPage>
  );
}

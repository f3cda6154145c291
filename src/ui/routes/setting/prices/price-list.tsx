/** The frame of both lists of models: search, actions, rows as a table or as cards, and a pager. */
import type { ReactNode } from 'react';
import type { StorageKey } from '../../../browser/local-storage.ts';
import { ModelLogo } from '../../../components/provider-logo.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import type { RowState, ScreenColumn } from '../../../list/columns.ts';
import { ListRows } from '../../../list/list-rows.tsx';
import { Pager } from '../../../list/pager.tsx';
import type { RowAction } from '../../../list/row-actions.tsx';
import { SearchField } from '../../../list/search-field.tsx';
import { useColumns } from '../../../list/use-columns.ts';
import classes from './prices.module.css';
import { pageSize, type useRowsPage } from './use-rows-page.ts';

interface PriceListProps<Row> {
  readonly page: ReturnType<typeof useRowsPage<Row>>;
  readonly nameOf: (row: Row) => string;
  readonly label: string;
  readonly columns: readonly ScreenColumn<Row>[];
  readonly columnsKey: StorageKey;
  readonly rowActions: readonly RowAction<Row>[];
  readonly rowState?: (row: Row) => RowState;
  readonly onOpen: (row: Row) => void;
  /** Right of the search field. */
  readonly actions: ReactNode;
  /** Shown where no row matches. */
  readonly empty: string;
}

export function PriceList<Row>(props: PriceListProps<Row>) {
  const { t } = useTranslation();
  const { page, nameOf, columns, rowActions } = props;
  const settings = useColumns(props.columnsKey, [
    ...columns,
    { key: 'actions', label: t('common.column.actions'), fixed: true },
  ]);
  return (
    <>
      <div className={classes.bar}>
        <SearchField
          value={page.search}
          onSearch={page.setSearch}
          placeholder={t('prices.search')}
          primary={false}
        />
        <div className={classes.actions}>{props.actions}</div>
      </div>
      <div className={classes.rows}>
        {page.rows.length === 0 ? (
          <p className={classes.empty}>{props.empty}</p>
        ) : (
          <ListRows<Row>
            rows={page.rows}
            keyOf={nameOf}
            nameOf={nameOf}
            label={props.label}
            columns={columns}
            settings={settings}
            rowHeight={42}
            rowState={props.rowState}
            sorting={undefined}
            rowActions={rowActions}
            onOpen={props.onOpen}
            expansion={undefined}
            card={undefined}
            logo={(row) => <ModelLogo model={nameOf(row)} size={22} />}
            selection={{ selected: page.selected, onChange: page.select, nameOf }}
          />
        )}
        <div className={classes.pager}>
          <Pager
            page={page.page}
            pageSize={pageSize}
            total={page.found.length}
            onPage={page.goTo}
          />
        </div>
      </div>
    </>
  );
}

/** Logo and name of a model, with an orange dot while it differs from what is stored. */
export function ModelName({
  name,
  changed = false,
}: {
  readonly name: string;
  readonly changed?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <span className={classes.model}>
      <ModelLogo model={name} size={18} />
      <span className={classes.name} title={name}>
        {name}
      </span>
      {changed && (
        <i
          className={classes.dot}
          role="img"
          aria-label={t('prices.changed')}
          title={t('prices.changed')}
        />
      )}
    </span>
  );
}

/**
 * The table editor: every model that has a price, with search, inline edits, a form, batch changes
 * and conflict marks.
 */
import { Button } from '@mantine/core';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { PriceDetailsEntry } from '../../../../core/pricing/details.ts';
import { findPrice, ownDetails } from '../../../../core/pricing/find-price.ts';
import { storageKeys } from '../../../browser/local-storage.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { FilterMenu } from '../../../list/filter-bar.tsx';
import { usePriceColumns } from './price-columns.tsx';
import { openPriceForm } from './price-form.tsx';
import { PriceList } from './price-list.tsx';
import {
  type DetailsTable,
  lookUpTables,
  noPrice,
  type PriceEdit,
  type PriceRow,
  rowsOf,
  type Tables,
} from './price-tables.ts';
import { useOpened } from './use-opened.ts';
import { useRowsPage } from './use-rows-page.ts';

interface PriceTableProps {
  /** The model that a link names: it is searched first, and its form is opened. */
  readonly search: string;
  readonly tables: Tables;
  /** As the server has them; undefined where what is stored is broken. */
  readonly stored: Tables | undefined;
  readonly onEdit: (names: readonly string[], edit: PriceEdit) => void;
  /** Steps, tiers and the like; undefined: their text is broken. */
  readonly details: DetailsTable | undefined;
  readonly storedDetails: DetailsTable | undefined;
  readonly onDetails: (name: string, entry: PriceDetailsEntry) => void;
}

const nameOf = (row: PriceRow) => row.name;
type Shown = '' | 'changed' | 'conflict';

export function PriceTable({
  search,
  tables,
  stored,
  onEdit,
  details,
  storedDetails,
  onDetails,
}: PriceTableProps) {
  const { t } = useTranslation();
  const rows = useMemo(() => {
    const textOf = (table: DetailsTable | undefined, name: string) => JSON.stringify(table?.[name]);
    return rowsOf(tables, stored).map((row) =>
      textOf(details, row.name) === textOf(storedDetails, row.name)
        ? row
        : { ...row, changed: true },
    );
  }, [tables, stored, details, storedDetails]);
  const prices = useMemo(() => lookUpTables(tables, details), [tables, details]);
  const taken = useMemo(() => new Set(rows.map(nameOf)), [rows]);
  const [shown, setShown] = useState<Shown>('');
  const conflicts = rows.filter((row) => row.conflict);
  const changed = rows.filter((row) => row.changed);
  const page = useRowsPage(
    shown === '' ? rows : shown === 'conflict' ? conflicts : changed,
    nameOf,
    search,
  );
  const columns = usePriceColumns(prices, (name, edit) => onEdit([name], edit));

  const add = () =>
    openPriceForm(t('prices.add'), {
      name: '',
      values: {},
      taken,
      batch: false,
      details: details && { own: undefined, now: {} },
      onSave: (name, change, entry) => {
        onEdit([name], change);
        if (entry !== undefined) onDetails(name, entry);
        page.setSearch(name);
      },
    });
  const edit = (row: PriceRow) =>
    openPriceForm(row.name, {
      name: row.name,
      values: row.values,
      taken,
      batch: false,
      current: findPrice(row.name, prices),
      ...(details && {
        details: {
          own: details[row.name],
          now: { ...prices.knownDetails(row.name), ...ownDetails(row.name, prices) },
        },
      }),
      onSave: (name, change, entry) => {
        onEdit([name], change);
        if (entry !== undefined) onDetails(name, entry);
      },
    });
  const named = rows.find(({ name }) => name === search);
  useOpened(named !== undefined, () => named !== undefined && edit(named));
  const setSelected = () =>
    openPriceForm(t('prices.batch.title', { count: page.selected.length }), {
      name: '',
      values: {},
      taken,
      batch: true,
      onSave: (_, change) => onEdit(page.selected.map(nameOf), change),
    });
  const question = (names: readonly string[]) => ({
    title: t('prices.delete.title', { count: names.length }),
    text: t('prices.delete.text', {
      names: names.slice(0, 5).join(', ') + (names.length > 5 ? '…' : ''),
    }),
    confirm: t('prices.delete.confirm', { count: names.length }),
  });
  const remove = (names: readonly string[]) => onEdit(names, noPrice);

  return (
    <PriceList<PriceRow>
      page={page}
      nameOf={nameOf}
      label={t('prices.tab.table')}
      columns={columns}
      columnsKey={storageKeys.priceColumns}
      onOpen={edit}
      rowActions={[
        { key: 'edit', label: t('prices.edit'), icon: Pencil, onAct: edit, prominent: true },
        {
          key: 'delete',
          label: t('prices.delete'),
          icon: Trash2,
          danger: true,
          confirm: (row) => question([row.name]),
          onAct: (row) => remove([row.name]),
        },
      ]}
      empty={t('prices.noMatch')}
      actions={
        <>
          <FilterMenu
            label={t('prices.show')}
            value={shown}
            always
            onChange={(next) => setShown(next === 'changed' || next === 'conflict' ? next : '')}
            options={[
              { value: '', label: t('prices.show.all', { count: rows.length }) },
              { value: 'changed', label: t('prices.show.changed', { count: changed.length }) },
              { value: 'conflict', label: t('prices.show.conflict', { count: conflicts.length }) },
            ]}
          />
          {page.selected.length > 0 && (
            <>
              <Button variant="default" size="xs" onClick={setSelected}>
                {t('prices.batch.set', { count: page.selected.length })}
              </Button>
              <Button
                variant="default"
                size="xs"
                onClick={() => {
                  const names = page.selected.map(nameOf);
                  confirmDanger({ ...question(names), onConfirm: () => remove(names) });
                }}
              >
                {t('prices.batch.delete', { count: page.selected.length })}
              </Button>
            </>
          )}
          <Button variant="default" size="xs" leftSection={<Plus size={14} />} onClick={add}>
            {t('prices.add')}
          </Button>
        </>
      }
    />
  );
}

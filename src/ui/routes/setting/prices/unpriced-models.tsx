/**
 * Models of enabled channels that no price table names: callers are refused until they have a
 * price.
 */
import { Button } from '@mantine/core';
import { Tag } from 'lucide-react';
import { storageKeys } from '../../../browser/local-storage.ts';
import { FailedState, LoadingRows } from '../../../components/states.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { useStatus } from '../../../queries/use-status.ts';
import { openPriceForm } from './price-form.tsx';
import { ModelName, PriceList } from './price-list.tsx';
import type { PriceEdit } from './price-tables.ts';
import classes from './prices.module.css';
import { useOpened } from './use-opened.ts';
import { pageSize, useRowsPage } from './use-rows-page.ts';
import type { UnpricedModelsQuery } from './use-unpriced-models.ts';

interface UnpricedModelsProps {
  /** The model that a link names: its form is opened. */
  readonly wanted: string;
  readonly unpriced: UnpricedModelsQuery;
  readonly onEdit: (names: readonly string[], edit: PriceEdit) => void;
}

const nameOf = (name: string) => name;
const noNames: ReadonlySet<string> = new Set();

export function UnpricedModels({ wanted, unpriced, onEdit }: UnpricedModelsProps) {
  const { t } = useTranslation();
  const selfUse = useStatus()?.self_use_mode_enabled === true;
  const { query: models, names } = unpriced;
  const page = useRowsPage(names, nameOf);
  const set = (chosen: readonly string[]) =>
    openPriceForm(
      chosen.length === 1 ? (chosen[0] ?? '') : t('prices.batch.title', { count: chosen.length }),
      {
        name: chosen[0] ?? '',
        values: {},
        taken: noNames,
        batch: false,
        onSave: (_, change) => onEdit(chosen, change),
      },
    );
  useOpened(wanted !== '' && names.includes(wanted), () => set([wanted]));
  if (models.isError) {
    return (
      <FailedState
        title={t('prices.unset.failed')}
        error={models.error}
        onRetry={() => void models.refetch()}
      />
    );
  }
  if (models.data === undefined) return <LoadingRows rows={pageSize} height={42} />;
  return (
    <>
      <p className={classes.dim}>{t(selfUse ? 'prices.unset.selfUse' : 'prices.unset.hint')}</p>
      <PriceList<string>
        page={page}
        nameOf={nameOf}
        label={t('prices.tab.unset')}
        columnsKey={storageKeys.unpricedColumns}
        columns={[
          {
            key: 'model',
            fixed: true,
            label: t('prices.model'),
            render: (name) => <ModelName name={name} />,
          },
        ]}
        onOpen={(name) => set([name])}
        rowActions={[
          {
            key: 'set',
            label: t('prices.unset.set'),
            icon: Tag,
            onAct: (name) => set([name]),
            prominent: true,
          },
        ]}
        empty={t(names.length === 0 ? 'prices.unset.none' : 'prices.noMatch')}
        actions={
          <>
            {page.selected.length > 0 && (
              <Button variant="default" size="xs" onClick={() => set(page.selected)}>
                {t('prices.batch.set', { count: page.selected.length })}
              </Button>
            )}
            {page.found.length > 1 && (
              <Button variant="default" size="xs" onClick={() => set(page.found)}>
                {t('prices.unset.all', { count: page.found.length })}
              </Button>
            )}
          </>
        }
      />
    </>
  );
}

/** The entries of the model square, for administrators (docs/rules/console.md#model-management). */

import { Suspense } from 'react';
import {
  catalogPriceTypes,
  catalogStatuses,
  contextSteps,
  publishDays,
} from '../../../core/vocabulary/model-square.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { latePart } from '../../client/late-part.ts';
import { CatalogLogo } from '../../components/model-logo.tsx';
import { typeName } from '../../components/model-words.ts';
import { specificationName } from '../../components/specification-name.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import type { FilterOption } from '../../list/filter-bar.tsx';
import { ListScreen } from '../../list/list-screen.tsx';
import { useNamedDraft } from '../../list/use-draft.ts';
import { useRefreshModelSquare } from '../../queries/use-invalidate.ts';
import { useEntryActions } from './entry-actions.tsx';
import { useEntryColumns } from './entry-columns.tsx';
import { loadEntry, nameOf, useChoices, useEntries } from './use-entries.ts';

// The list comes first.
const EntryDrawer = latePart(async () => ({
  default: (await import('./entry-drawer.tsx')).EntryDrawer,
}));

export function ModelManagementScreen() {
  const { t } = useTranslation();
  const list = useEntries();
  const refresh = useRefreshModelSquare();
  const { draft, create, edit, close } = useNamedDraft('model', loadEntry, nameOf);
  const columns = useEntryColumns();
  const rowActions = useEntryActions(edit);
  const options = useFilterOptions();
  const menu = <Name extends string>(name: Name, label: string, choices: readonly FilterOption[]) =>
    ({
      kind: 'menu',
      name,
      label,
      options: [{ value: '', label: t('common.all') }, ...choices],
    }) as const;
  return (
    <ListScreen
      list={list}
      title={t('management.title')}
      subtitle={t('management.subtitle')}
      create={{ label: t('management.new'), onCreate: create }}
      filters={[
        {
          kind: 'search',
          name: 'q',
          label: t('management.search'),
          placeholder: t('management.search'),
          width: 220,
        },
        { ...menu('type', t('management.column.type'), options.types), always: true },
        { ...menu('status', t('management.column.status'), options.statuses), always: true },
        menu('vendor', t('management.column.vendor'), options.vendors),
        menu('tag', t('management.column.tags'), options.tags),
        menu('price', t('management.column.priceType'), options.prices),
        menu('context', t('management.column.context'), options.contexts),
        menu('spec', t('management.column.spec'), options.sizes),
        menu('since', t('management.column.published'), options.days),
      ]}
      onRefresh={refresh}
      nameOf={nameOf}
      columns={columns}
      columnsKey={storageKeys.managedModelColumns}
      rowState={({ status }) => (status === catalogStatuses.disabled ? 'dimmed' : undefined)}
      rowActions={rowActions}
      onOpen={edit}
      logo={(row) => (
        <CatalogLogo
          model={row.model}
          icon={row.icon}
          grey={row.status === catalogStatuses.disabled}
        />
      )}
      texts={{ failed: t('management.failed'), noMatch: t('management.noMatch') }}
      empty={{ title: t('management.empty.title'), text: t('management.empty.text') }}
    >
      <Suspense fallback={null}>
        {draft !== undefined && (
          <EntryDrawer key={draft?.model ?? 'new'} entry={draft} onClose={close} />
        )}
      </Suspense>
    </ListScreen>
  );
}

function useFilterOptions() {
  const { t } = useTranslation();
  const language = currentLanguage();
  const choices = useChoices();
  const named = (values: readonly string[]) =>
    values.filter((value) => value !== '').map((value) => ({ value, label: value }));
  return {
    types: (choices?.types ?? []).map((type) => ({
      value: type.type,
      label: typeName(type, language),
    })),
    tags: (choices?.tags ?? []).map(({ tag, tag_en }) => ({
      value: tag,
      label: language === 'en' ? tag_en : tag,
    })),
    vendors: named((choices?.modelManufacturers ?? []).map(({ manufacturer }) => manufacturer)),
    sizes: (choices?.specification ?? []).map((value) => ({
      value,
      label: specificationName(value, t),
    })),
    contexts: contextSteps.map((value) => ({ value, label: `≥ ${value}` })),
    days: publishDays.map((days) => ({
      value: String(days),
      label: t('management.days', { count: days }),
    })),
    prices: [
      { value: String(catalogPriceTypes.free), label: t('models.price.free') },
      { value: String(catalogPriceTypes.billed), label: t('models.price.billed') },
    ],
    statuses: [
      { value: String(catalogStatuses.enabled), label: t('models.status.1') },
      { value: String(catalogStatuses.disabled), label: t('models.status.2') },
    ],
  };
}

/**
 * Prices of models: a table editor, JSON, and the models without a price. All three edit the same
 * texts of the settings' form, so that one save bar saves what changed
 * (docs/rules/console.md#price-area).
 */

import { Button, Tabs } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import { useLocation } from 'react-router';
import type { PriceDetailsEntry } from '../../../../core/pricing/details.ts';
import { targetOfHash } from '../../../browser/setting-address.ts';
import { latePart } from '../../../client/late-part.ts';
import { LoadingRows } from '../../../components/states.tsx';
import type { OptionForm } from '../../../form/use-option-form.ts';
import { useUrlParameter } from '../../../hooks/use-url-state.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { PriceJson, priceFields } from './price-json.tsx';
import { PriceTable } from './price-table.tsx';
import {
  editTables,
  isBroken,
  type PriceEdit,
  priceTableKeys,
  readDetailsTable,
  readTables,
  textOfDetails,
  textOfTable,
} from './price-tables.ts';
import classes from './prices.module.css';
import { UnpricedModels } from './unpriced-models.tsx';
import { useUnpricedModels } from './use-unpriced-models.ts';

const PriceSources = latePart(async () => ({
  default: (await import('./price-sources.tsx')).PriceSources,
}));

const tabs = ['table', 'json', 'unset', 'sources'] as const;
type Tab = (typeof tabs)[number];

const noDetails = {};

export function PriceArea({ form }: { readonly form: OptionForm }) {
  const { t } = useTranslation();
  const [wanted, choose] = useUrlParameter('prices');
  const [model] = useUrlParameter('price');
  const named = targetOfHash(useLocation().hash);
  // The field of an option that a link names is in the JSON view.
  const standard = priceFields.some((key) => key === named) ? 'json' : 'table';
  const tab: Tab = tabs.find((name) => name === wanted) ?? standard;
  const texts = priceTableKeys.map((key) => form.text(key)).join('\u0000');
  const storedTexts = priceTableKeys.map((key) => form.before(key)).join('\u0000');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts, not the form, decide
  const tables = useMemo(() => readTables(form.text), [texts]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const stored = useMemo(() => readTables(form.before), [storedTexts]);
  const detailsText = form.text('ModelPriceDetails');
  const details = useMemo(() => readDetailsTable(detailsText), [detailsText]);
  const unpriced = useUnpricedModels(isBroken(tables) ? undefined : tables, details ?? noDetails);
  const edit = (names: readonly string[], change: PriceEdit) => {
    if (isBroken(tables)) return;
    for (const [key, table] of Object.entries(editTables(tables, names, change))) {
      const option = priceTableKeys.find((name) => name === key);
      if (option !== undefined) form.set(option, textOfTable(table, form.before(option)));
    }
  };
  const editDetails = (name: string, entry: PriceDetailsEntry) => {
    const text = textOfDetails({ ...details, [name]: entry }, form.before('ModelPriceDetails'));
    form.set('ModelPriceDetails', text);
  };
  const refused = priceFields.find((key) => form.errors[key] !== undefined);
  const problem = isBroken(tables)
    ? t('prices.broken', { names: tables.join(', ') })
    : refused && t('prices.refused', { name: refused, reason: form.errors[refused] ?? '' });
  const editor = (name: Tab) => {
    if (name === 'json') return <PriceJson form={form} />;
    if (name === 'sources')
      return (
        <Suspense fallback={<LoadingRows rows={3} height={42} />}>
          <PriceSources />
        </Suspense>
      );
    if (isBroken(tables)) return null;
    if (name === 'unset')
      return <UnpricedModels key={model} wanted={model} unpriced={unpriced} onEdit={edit} />;
    return (
      <PriceTable
        key={model}
        search={model}
        tables={tables}
        stored={isBroken(stored) ? undefined : stored}
        onEdit={edit}
        details={details}
        storedDetails={readDetailsTable(form.before('ModelPriceDetails'))}
        onDetails={editDetails}
      />
    );
  };
  return (
    <Tabs value={tab} onChange={(next) => choose(next === standard ? '' : (next ?? ''))}>
      <Tabs.List className={classes.tabs ?? ''}>
        <Tabs.Tab value="table">{t('prices.tab.table')}</Tabs.Tab>
        <Tabs.Tab value="json">{t('prices.tab.json')}</Tabs.Tab>
        <Tabs.Tab value="unset">
          {unpriced.names.length > 0
            ? t('prices.tab.count', { name: t('prices.tab.unset'), count: unpriced.names.length })
            : t('prices.tab.unset')}
        </Tabs.Tab>
        <Tabs.Tab value="sources">{t('prices.source')}</Tabs.Tab>
      </Tabs.List>
      {tab !== 'json' && problem !== undefined && (
        <div className={classes.broken} role="alert">
          <p>{problem}</p>
          <Button variant="default" size="xs" onClick={() => choose('json')}>
            {t('prices.broken.open')}
          </Button>
        </div>
      )}
      {tabs.map((name) => (
        <Tabs.Panel key={name} value={name} pt={16}>
          {name === tab && editor(name)}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

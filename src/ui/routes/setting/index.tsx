/** The site's settings: a tab for each page of the registry, a section for each of its panels (docs/rules/console.md#settings-screen). */
import { Tabs } from '@mantine/core';
import { Suspense } from 'react';
import { type PanelId, type PanelPage, panelPages, panelsOf } from '../../../core/options/facts.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { PageHeader } from '../../components/page.tsx';
import { FailedState, LoadingRows } from '../../components/states.tsx';
import { optionsOf } from '../../form/option-fields.ts';
import { OptionPanel } from '../../form/option-panel.tsx';
import { SaveBar } from '../../form/save-bar.tsx';
import { useOptionForm } from '../../form/use-option-form.ts';
import { useUrlState } from '../../hooks/use-url-state.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOptionTexts } from '../../i18n/option-texts.ts';
import { useOptions } from '../../queries/use-options.ts';
import { askFirst } from './ask-first.ts';
import { ContentSection } from './content/content-section.tsx';
import { LogSection } from './log-section.tsx';
import { PriceSection } from './prices/price-section.tsx';
import { SectionList } from './section-list.tsx';
import classes from './setting.module.css';

/** Panels that have a section of their own. */
const sections: Partial<Record<PanelId, typeof OptionPanel>> = {
  'operation.log': LogSection,
  'operation.prices': PriceSection,
  'other.content': ContentSection,
};

const url = { tab: 'operation' } as const;

/** Panels that have something to show. */
const shownPanels = (page: PanelPage) =>
  panelsOf(page).filter((panel) => {
    const { switches, fields } = optionsOf(panel);
    return switches.length + fields.length > 0;
  });
const pages = panelPages.filter((page) => shownPanels(page).length > 0);

export function SettingScreen() {
  const { t } = useTranslation();
  const options = useOptions();
  const loading = <LoadingRows rows={8} height={64} />;
  return (
    <div className={classes.page}>
      <PageHeader title={t('setting.title')} sentence={t('setting.subtitle')} />
      {options.data !== undefined ? (
        <Suspense fallback={loading}>
          <Settings options={options.data} />
        </Suspense>
      ) : options.isError ? (
        <FailedState title={t('setting.failed')} error={options.error} onRetry={() => void options.refetch()} />
      ) : (
        loading
      )}
    </div>
  );
}

function Settings({ options }: { readonly options: NonNullable<ReturnType<typeof useOptions>['data']> }) {
  const { t } = useTranslation();
  const texts = useOptionTexts();
  const [{ tab }, change] = useUrlState(url);
  const page = pages.find((name) => name === tab) ?? url.tab;
  const form = askFirst(useOptionForm(options));
  const panels = shownPanels(page);
  /** Every balance is shown and sold in this unit. */
  const save = () => {
    if (!form.changed.includes('QuotaPerUnit')) return form.save();
    confirmDanger({
      title: t('setting.quotaPerUnit.title'),
      text: t('setting.quotaPerUnit.text'),
      confirm: t('setting.quotaPerUnit.confirm'),
      onConfirm: form.save,
    });
  };
  return (
    <>
      <Tabs value={page} onChange={(next) => change({ tab: next ?? url.tab })} className={classes.tabs ?? ''}>
        <Tabs.List className={classes.list ?? ''}>
          {pages.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {texts.panel(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {pages.map((name) => (
          <Tabs.Panel key={name} value={name}>
            {name === page && (
              <div className={classes.columns}>
                <SectionList panels={panels} />
                <div>
                  {panels.map((panel) => {
                    const Panel = sections[panel] ?? OptionPanel;
                    return <Panel key={panel} panel={panel} form={form} />;
                  })}
                </div>
              </div>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
      <SaveBar changes={form.changed.map(texts.label)} saving={form.saving} onDiscard={form.discard} onSave={save} />
    </>
  );
}

/**
 * The site's settings: a tab for each page of the registry, a section for each of its panels. Root
 * changes them, other administrators read them (docs/rules/console.md#settings-screen).
 */

import { Tabs } from '@mantine/core';
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  isOptionKey,
  type OptionKey,
  optionFacts,
  type PanelId,
  type PanelPage,
  panelPageOf,
  panelPages,
  panelsOf,
} from '../../../core/options/facts.ts';
import { panelOfHash, settingAddress } from '../../browser/setting-address.ts';
import { latePart } from '../../client/late-part.ts';
import { useIsRoot } from '../../client/session.ts';
import { PageHeader } from '../../components/page.tsx';
import { FailedState, LoadingRows } from '../../components/states.tsx';
import { optionsOf } from '../../form/option-fields.ts';
import { OptionPanel } from '../../form/option-panel.tsx';
import { SaveBar } from '../../form/save-bar.tsx';
import type { OptionForm } from '../../form/use-option-form.ts';
import { useUrlState } from '../../hooks/use-url-state.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOptionTexts } from '../../i18n/option-texts.ts';
import { type StoredOptions, useOptions } from '../../queries/use-options.ts';
import { ContentSection } from './content/content-section.tsx';
import { LogSection } from './log-section.tsx';
import { OidcSection } from './oidc-section.tsx';
import { PriceSection } from './prices/price-section.tsx';
import { reviewChanges } from './review-changes.tsx';
import { SectionList } from './section-list.tsx';
import classes from './setting.module.css';
import { SettingSearch } from './setting-search.tsx';
import { useGuardedForm } from './use-guarded-form.ts';
import { useSettingTarget } from './use-setting-target.ts';

/** Panels that have a section of their own. */
const sections: Partial<
  Record<PanelId, ComponentType<{ readonly panel: PanelId; readonly form: OptionForm }>>
> = {
  'operation.log': LogSection,
  'operation.prices': PriceSection,
  'other.content': ContentSection,
  'system.oidc': OidcSection,
};

const ReadPanel = latePart(async () => ({
  default: (await import('./read/read-panel.tsx')).ReadPanel,
}));

const url = { tab: 'operation' } as const;

/** Panels that have something to show. */
const shownPanels = (page: PanelPage) =>
  panelsOf(page).filter((panel) => {
    const { switches, fields } = optionsOf(panel);
    return switches.length + fields.length > 0;
  });
const pages = panelPages.filter((page) => shownPanels(page).length > 0);
const allPanels = pages.flatMap(shownPanels);

export function SettingScreen() {
  const { t } = useTranslation();
  const options = useOptions();
  const mayChange = useIsRoot();
  const loading = <LoadingRows rows={8} height={64} />;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageHeader
          title={t('setting.title')}
          sentence={t(mayChange ? 'setting.subtitle' : 'setting.readOnly')}
        />
        <Suspense fallback={null}>
          <SettingSearch panels={allPanels} />
        </Suspense>
      </div>
      {options.data !== undefined ? (
        <Suspense fallback={loading}>
          {mayChange ? (
            <Settings options={options.data} />
          ) : (
            <ReadSettings options={options.data} />
          )}
        </Suspense>
      ) : options.isError ? (
        <FailedState
          title={t('setting.failed')}
          error={options.error}
          onRetry={() => void options.refetch()}
        />
      ) : (
        loading
      )}
    </div>
  );
}

interface SettingsProps {
  readonly options: StoredOptions;
}

function ReadSettings({ options }: SettingsProps) {
  return (
    <SettingTabs
      changed={[]}
      draw={(panel) => <ReadPanel key={panel} panel={panel} options={options} />}
    />
  );
}

function Settings({ options }: SettingsProps) {
  const texts = useOptionTexts();
  const navigate = useNavigate();
  const form = useGuardedForm(options);
  const refused = Object.keys(form.errors).find(isOptionKey);
  const wasRefused = useRef(refused);
  // What was refused may be on another tab.
  useEffect(() => {
    if (refused !== undefined && wasRefused.current === undefined)
      void navigate(settingAddress(optionFacts(refused).panel, refused), { replace: true });
    wasRefused.current = refused;
  }, [refused, navigate]);
  return (
    <>
      <SettingTabs
        changed={form.changed}
        draw={(panel) => {
          const Panel = sections[panel] ?? OptionPanel;
          return <Panel key={panel} panel={panel} form={form} />;
        }}
      />
      <SaveBar
        changes={form.changed.map(texts.label)}
        saving={form.saving}
        onDiscard={form.discard}
        onReview={() => reviewChanges(form)}
        onSave={() => void form.save()}
      />
    </>
  );
}

interface SettingTabsProps {
  /** Options with unsaved changes. */
  readonly changed: readonly OptionKey[];
  readonly draw: (panel: PanelId) => ReactNode;
}

function SettingTabs({ changed, draw }: SettingTabsProps) {
  const texts = useOptionTexts();
  const { hash, search } = useLocation();
  const [{ tab }, change] = useUrlState(url);
  // A link may name a panel without its tab.
  const named = new URLSearchParams(search).has('tab') ? undefined : panelOfHash(hash);
  const page =
    pages.find((name) => name === (named === undefined ? tab : panelPageOf(named))) ?? url.tab;
  const panels = shownPanels(page);
  useSettingTarget();
  return (
    <Tabs
      value={page}
      onChange={(next) => change({ tab: next ?? url.tab })}
      className={classes.tabs ?? ''}
    >
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
              <SectionList panels={panels} changed={changed} />
              <div>{panels.map(draw)}</div>
            </div>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

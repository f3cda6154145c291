/**
 * What playgrounds share: a head, the work in the middle, and the settings at the right; on phones
 * in a sheet.
 */

import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, Suspense, useEffect } from 'react';
import { latePart } from '../../client/late-part.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { NameTags } from '../../components/tag.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import type { Choices } from './choices.ts';
import classes from './playground.module.css';

// Only phones have it.
const SettingsSheet = latePart(async () => ({
  default: (await import('./settings-sheet.tsx')).SettingsSheet,
}));

interface FrameProps {
  readonly title: string;
  readonly choices: Choices;
  /** Buttons of the head. */
  readonly actions?: ReactNode;
  readonly settings: ReactNode;
  /** Whether the sheet is open, on phones. */
  readonly sheet: { readonly opened: boolean; open(): void; close(): void };
  readonly children: ReactNode;
}

export function PlaygroundFrame({
  title,
  choices: { model, group },
  actions,
  settings,
  sheet,
  children,
}: FrameProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const site = useStatus()?.system_name;
  useEffect(() => {
    document.title = site === undefined ? title : `${title} · ${site}`;
  }, [title, site]);
  return (
    <>
      {/* The page is as high as the window, whatever the footer below it holds. */}
      <div className={classes.spacer} />
      <div className={classes.frame}>
        <section className={classes.work} aria-label={title}>
          <header className={classes.head}>
            <h1 className={classes.model}>
              {model !== undefined && <ModelLogo model={model.model} size={20} />}
              <span>{model?.model ?? title}</span>
            </h1>
            {model !== undefined && group !== undefined && (
              <NameTags names={[`${group.name} ×${group.ratio}`]} />
            )}
            <div className={classes.headActions}>
              {actions}
              {phone && (
                <IconButton label={t('playground.settings.open')} size={44} onClick={sheet.open}>
                  <SlidersHorizontal size={18} strokeWidth={1.75} />
                </IconButton>
              )}
            </div>
          </header>
          {children}
        </section>
        {phone ? (
          <Suspense fallback={null}>
            {sheet.opened && <SettingsSheet onClose={sheet.close}>{settings}</SettingsSheet>}
          </Suspense>
        ) : (
          <aside className={classes.panel} aria-label={t('playground.settings')}>
            <h2 className={classes.panelTitle}>{t('playground.settings')}</h2>
            {settings}
          </aside>
        )}
      </div>
    </>
  );
}

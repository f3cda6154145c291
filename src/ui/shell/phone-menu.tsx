import { CloseButton, Drawer, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Languages, Moon, Sun, Tags } from 'lucide-react';
import { NavLink } from 'react-router';
import { pricingPath } from '../browser/paths.ts';
import { SiteName } from '../components/site-name.tsx';
import { changeLanguage, currentLanguage, useTranslation } from '../i18n/index.ts';
import { Navigation } from './navigation.tsx';
import classes from './phone-menu.module.css';

/** The 300 px drawer of phones, with language and theme at its foot. */
export function PhoneMenu({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const other = currentLanguage() === 'zh' ? 'en' : 'zh';
  return (
    <Drawer.Root opened={opened} onClose={onClose} position="left" size={300}>
      <Drawer.Overlay backgroundOpacity={0.32} />
      <Drawer.Content radius={0} aria-label={t('shell.menu.title')}>
        <div className={classes.body}>
          <div className={classes.head}>
            <SiteName badges />
            <CloseButton size="lg" aria-label={t('common.close')} onClick={onClose} />
          </div>
          <div className={classes.scroll}>
            <nav className={classes.site} aria-label={t('shell.console')}>
              <NavLink to={pricingPath} onClick={onClose}>
                <Tags size={16} strokeWidth={1.75} aria-hidden="true" />
                {t('shell.pricing')}
              </NavLink>
            </nav>
            <Navigation tall onPick={onClose} />
          </div>
          <div className={classes.foot}>
            <button
              type="button"
              className={classes.switch}
              aria-label={t('shell.language')}
              onClick={() => void changeLanguage(other)}
            >
              <Languages size={18} strokeWidth={1.75} />
              {t(`shell.language.${other}`)}
            </button>
            <button type="button" className={classes.switch} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
              {dark ? <Sun size={18} strokeWidth={1.75} /> : <Moon size={18} strokeWidth={1.75} />}
              {t(dark ? 'shell.theme.light' : 'shell.theme.dark')}
            </button>
          </div>
        </div>
      </Drawer.Content>
    </Drawer.Root>
  );
}

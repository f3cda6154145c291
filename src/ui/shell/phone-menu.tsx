import { CloseButton, Drawer, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { BookOpen, House, Info, Languages, type LucideIcon, Moon, Sun, Tags } from 'lucide-react';
import { NavLink } from 'react-router';
import { aboutPath, homePath, landingPath, pricingPath } from '../browser/paths.ts';
import { toastFailure } from '../client/failures.ts';
import { EscapeKey } from '../components/escape-key.tsx';
import { SiteName } from '../components/site-name.tsx';
import { useLate } from '../hooks/use-late.ts';
import { changeLanguage, currentLanguage, useTranslation } from '../i18n/index.ts';
import { Navigation } from './navigation.tsx';
import classes from './phone-menu.module.css';
import { isNewYear, loadNewYear, useSiteLinks } from './site-links.ts';

const icons: Readonly<Record<string, LucideIcon>> = {
  [landingPath]: House,
  [pricingPath]: Tags,
  [aboutPath]: Info,
};

/** The 300 px drawer of phones, with language and theme at its foot. */
export function PhoneMenu({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const NewYearItem = useLate(loadNewYear, { wish: isNewYear(), quiet: true });
  // The console's own screens follow below.
  const links = useSiteLinks().filter(({ to }) => to !== homePath);
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const other = currentLanguage() === 'zh' ? 'en' : 'zh';
  return (
    <Drawer.Root opened={opened} onClose={onClose} position="left" size={300} closeOnEscape={false}>
      <Drawer.Overlay backgroundOpacity={0.32} />
      <Drawer.Content radius={0} aria-label={t('shell.menu.title')}>
        <EscapeKey onPress={onClose} />
        <div className={classes.body}>
          <div className={classes.head}>
            <SiteName badges />
            <CloseButton size="lg" aria-label={t('common.close')} onClick={onClose} />
          </div>
          <div className={classes.scroll}>
            <nav className={classes.site} aria-label={t('shell.console')}>
              {links.map(({ to, label, outside = false }) => {
                const Icon = icons[to] ?? BookOpen;
                return outside ? (
                  <a key={to} href={to} target="_blank" rel="noreferrer">
                    <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                    {label}
                  </a>
                ) : (
                  <NavLink key={to} to={to} end onClick={onClose}>
                    <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                    {label}
                  </NavLink>
                );
              })}
              {NewYearItem !== undefined && <NewYearItem className={classes.newYear} />}
            </nav>
            <Navigation tall onPick={onClose} />
          </div>
          <div className={classes.foot}>
            <button
              type="button"
              className={classes.switch}
              aria-label={`${t('shell.language')}: ${t(`shell.language.${other}`)}`}
              onClick={() => void changeLanguage(other).catch(toastFailure)}
            >
              <Languages size={18} strokeWidth={1.75} />
              {t(`shell.language.${other}`)}
            </button>
            <button
              type="button"
              className={classes.switch}
              onClick={() => setColorScheme(dark ? 'light' : 'dark')}
            >
              {dark ? <Sun size={18} strokeWidth={1.75} /> : <Moon size={18} strokeWidth={1.75} />}
              {t(dark ? 'shell.theme.light' : 'shell.theme.dark')}
            </button>
          </div>
        </div>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/**
 * The shell: top bar, sidebar and the sheet that scrolls by itself (docs/rules/console.md#shell).
 */
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { readStored, storageKeys, writeStored } from '../browser/local-storage.ts';
import { landingPath } from '../browser/paths.ts';
import { useLate } from '../hooks/use-late.ts';
import { useNarrow, usePhone } from '../hooks/use-phone.ts';
import { useTranslation } from '../i18n/index.ts';
import { openLate } from './open-late.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { SiteFooter } from './site-footer.tsx';
import { TopBar } from './top-bar.tsx';

/** `?` lists the keys, ⌘K opens the palette (docs/rules/console.md#keyboard). */
export function KeyHelp() {
  useHotkeys([['shift+?', () => openLate('keys')]], undefined, false);
  // In fields, too.
  useHotkeys([['mod+K', () => openLate('palette')]], [], true);
  return null;
}

// Only phones have it.
const loadPhoneMenu = async () => (await import('./phone-menu.tsx')).PhoneMenu;

export function Shell() {
  const { t } = useTranslation();
  const phone = usePhone();
  const narrow = useNarrow();
  const isLanding = useLocation().pathname === landingPath;
  const hasSidebar = !phone && !isLanding;
  const [menuOpen, menu] = useDisclosure(false);
  const wish = phone && (menuOpen ? 'now' : 'soon');
  const PhoneMenu = useLate(loadPhoneMenu, { wish, onFailure: menu.close, quiet: !menuOpen });
  // Until the reader chooses, the site's default counts, and narrow windows start collapsed.
  const [choice, setChoice] = useState(() => readStored(storageKeys.sidebarCollapsed));
  const collapsed =
    choice === null
      ? narrow || readStored(storageKeys.defaultCollapsed) === 'true'
      : choice === 'true';
  const toggle = () => {
    writeStored(storageKeys.sidebarCollapsed, String(!collapsed));
    setChoice(String(!collapsed));
  };
  return (
    <div
      className={classes.shell}
      data-collapsed={collapsed || undefined}
      data-open={!hasSidebar || undefined}
    >
      <a className={classes.skip} href="#content">
        {t('shell.skip')}
      </a>
      <TopBar phone={phone} onMenu={menu.open} />
      {hasSidebar && <Sidebar collapsed={collapsed} onToggle={toggle} />}
      <main id="content" className={classes.sheet} tabIndex={-1}>
        <div className={classes.page}>
          <Outlet />
        </div>
        <SiteFooter />
      </main>
      {phone && PhoneMenu !== undefined && <PhoneMenu opened={menuOpen} onClose={menu.close} />}
      <KeyHelp />
    </div>
  );
}

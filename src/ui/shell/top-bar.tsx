import { ActionIcon, Button } from '@mantine/core';
import { Menu as MenuIcon } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { homePath, pricingPath } from '../browser/paths.ts';
import { useUser } from '../client/session.ts';
import { LanguageMenu } from '../components/language-menu.tsx';
import { SiteName } from '../components/site-name.tsx';
import { ThemeSwitch } from '../components/theme-switch.tsx';
import { useTranslation } from '../i18n/index.ts';
import { isRegistrationOpen, useStatus } from '../queries/use-status.ts';
import { AccountMenu } from './account-menu.tsx';
import { BalanceChip } from './balance-chip.tsx';
import classes from './top-bar.module.css';

export function TopBar({ phone, onMenu }: { phone: boolean; onMenu: () => void }) {
  const { t } = useTranslation();
  const user = useUser();
  const status = useStatus();
  const { pathname } = useLocation();
  return (
    <header className={classes.bar}>
      {phone && (
        <ActionIcon size={44} className={classes.menu} aria-label={t('shell.menu')} onClick={onMenu}>
          <MenuIcon size={20} strokeWidth={1.75} />
        </ActionIcon>
      )}
      <Link to={homePath} className={classes.home}>
        <SiteName badges={!phone} />
      </Link>
      {!phone && (
        <nav className={classes.links} aria-label={t('shell.console')}>
          <Link to={homePath} className={classes.link} aria-current={pathname === pricingPath ? undefined : 'true'}>
            {t('shell.console')}
          </Link>
          <Link to={pricingPath} className={classes.link} aria-current={pathname === pricingPath ? 'true' : undefined}>
            {t('shell.pricing')}
          </Link>
          {status?.docs_link !== undefined && status.docs_link !== '' && (
            <a className={classes.link} href={status.docs_link} target="_blank" rel="noreferrer">
              {t('shell.docs')}
            </a>
          )}
        </nav>
      )}
      <div className={classes.end}>
        {!phone && (
          <>
            <LanguageMenu />
            <ThemeSwitch />
          </>
        )}
        {user === null ? (
          <>
            <Button component={Link} to="/login" variant="default" size="xs">
              {t('shell.login')}
            </Button>
            {!phone && isRegistrationOpen(status) && (
              <Button component={Link} to="/register" size="xs">
                {t('shell.register')}
              </Button>
            )}
          </>
        ) : (
          <>
            <BalanceChip />
            <AccountMenu user={user} phone={phone} />
          </>
        )}
      </div>
    </header>
  );
}

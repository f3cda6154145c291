import { ActionIcon, Button } from '@mantine/core';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { Link } from 'react-router';
import { homePath } from '../browser/paths.ts';
import { useUser } from '../client/session.ts';
import { IconButton } from '../components/icon-button.tsx';
import { LanguageMenu } from '../components/language-menu.tsx';
import { SiteName } from '../components/site-name.tsx';
import { ThemeSwitch } from '../components/theme-switch.tsx';
import { useLate } from '../hooks/use-late.ts';
import { useTranslation } from '../i18n/index.ts';
import { isRegistrationOpen, useStatus } from '../queries/use-status.ts';
import { AccountMenu } from './account-menu.tsx';
import { BalanceChip } from './balance-chip.tsx';
import { openLate } from './open-late.ts';
import { isNewYear, loadNewYear, useSiteLinks } from './site-links.ts';
import classes from './top-bar.module.css';

// One day a year, and where there is a notice.
const loadNotice = async () => (await import('./notice-button.tsx')).NoticeButton;

export function TopBar({ phone, onMenu }: { phone: boolean; onMenu: () => void }) {
  const { t } = useTranslation();
  const user = useUser();
  const status = useStatus();
  const links = useSiteLinks();
  const notice = status?.notice_id ?? '';
  const NewYearItem = useLate(loadNewYear, { wish: isNewYear(), quiet: true });
  const NoticeButton = useLate(loadNotice, { wish: notice, quiet: true });
  return (
    <header className={classes.bar}>
      {phone && (
        <ActionIcon
          size={44}
          className={classes.menu}
          aria-label={t('shell.menu')}
          onClick={onMenu}
        >
          <MenuIcon size={20} strokeWidth={1.75} />
        </ActionIcon>
      )}
      <Link to={homePath} className={classes.home}>
        <SiteName badges={!phone} />
      </Link>
      {!phone && (
        <nav className={classes.links} aria-label={t('shell.console')}>
          {links.map(({ to, label, current, outside = false }) =>
            outside ? (
              <a key={to} className={classes.link} href={to} target="_blank" rel="noreferrer">
                {label}
              </a>
            ) : (
              <Link
                key={to}
                to={to}
                className={classes.link}
                aria-current={current ? 'true' : undefined}
              >
                {label}
              </Link>
            ),
          )}
          {NewYearItem !== undefined && <NewYearItem className={classes.link} />}
        </nav>
      )}
      <div className={classes.end}>
        <IconButton
          size={phone ? 44 : 32}
          label={t('shell.search')}
          onClick={() => openLate('palette')}
        >
          <Search size={16} strokeWidth={1.75} />
        </IconButton>
        {notice !== '' && NoticeButton !== undefined && <NoticeButton id={notice} />}
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

import { Menu } from '@mantine/core';
import { ChevronDown, LogOut, UserRound } from 'lucide-react';
import { Link } from 'react-router';
import type { SignedInUser } from '../../core/contract/entities.ts';
import { client } from '../client/api.ts';
import { nameOf } from '../client/session.ts';
import { Portrait } from '../components/portrait.tsx';
import { useTranslation } from '../i18n/index.ts';
import { wordKey } from '../i18n/words.ts';
import { leaveAccount } from '../queries/leave-account.ts';
import classes from './account-menu.module.css';

export function AccountMenu({ user, phone }: { user: SignedInUser; phone: boolean }) {
  const { t } = useTranslation();
  const name = nameOf(user);
  const logOut = async () => {
    // The login ends here even when the server cannot be reached.
    await client.auth.logout().catch(() => undefined);
    await leaveAccount(t('shell.logout.done'));
  };
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <button type="button" className={classes.face} aria-label={t('shell.account', { name })}>
          <Portrait className={classes.letter} address={user.portrait} name={name} />
          {!phone && (
            <>
              <span className={classes.name}>{name}</span>
              <ChevronDown size={14} aria-hidden="true" />
            </>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <div className={classes.whoName}>{name}</div>
          <div className={classes.whoRole}>
            #{user.id} · {t(wordKey('role', user.role))} · {user.group}
          </div>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<UserRound size={14} />} component={Link} to="/personal">
          {t('shell.item.personal')}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={14} />} onClick={() => void logOut()}>
          {t('shell.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

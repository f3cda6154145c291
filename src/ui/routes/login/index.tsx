/** Login by phone, or by account and password (docs/rules/console.md#login-screen). */

import { Tabs } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { latePart } from '../../client/late-part.ts';
import { useUser } from '../../client/session.ts';
import { useHumanCheck } from '../../components/human-check/use-human-check.tsx';
import { SignPage } from '../../components/sign-page.tsx';
import { LoadingRows } from '../../components/states.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { isRegistrationOpen, type ServerStatus, useStatus } from '../../queries/use-status.ts';
import { AccountLogin } from './account-login.tsx';
import classes from './login.module.css';
import { LoginProblem } from './login-problem.tsx';
import { LoginSign } from './login-sign.tsx';
import { originOf, storedOriginOf } from './origin.ts';
import { OtherLogins } from './providers/index.tsx';
import { PasskeyLogin } from './second-factor/passkey-login.tsx';

const PhoneLogin = latePart(async () => ({
  default: (await import('./phone-login.tsx')).PhoneLogin,
}));

/** What most people can use: phones where codes reach them, else passwords. */
function firstTab(status: ServerStatus | undefined): string {
  const hasPhone = status?.phone_login === true && (status.sms_delivery || !status.password_login);
  return hasPhone ? 'phone' : 'password';
}

export function LoginScreen() {
  const { t } = useTranslation();
  const user = useUser();
  const [cameSignedIn] = useState(user !== null);
  const status = useStatus();
  const location = useLocation();
  const [parameters] = useSearchParams();
  const [chosen, choose] = useState<string | null>(null);
  const human = useHumanCheck();
  const title = t('login.title', { name: status?.system_name ?? '' });
  useEffect(() => {
    document.title = title;
  }, [title]);

  // Also after a login in another window.
  if (user !== null)
    return (
      <Navigate
        to={cameSignedIn ? storedOriginOf(location.state) : originOf(location.state)}
        replace
      />
    );
  const hasPhone = status?.phone_login === true;
  return (
    <SignPage sign={<LoginSign />}>
      <div className={classes.form}>
        <h1 className={classes.title}>{title}</h1>
        {isRegistrationOpen(status) && (
          <p className={classes.lead}>
            {t('login.noAccount')}{' '}
            <Link to="/register" state={location.state}>
              {t('login.register')}
            </Link>
          </p>
        )}
        {parameters.get('expired') === 'true' && <LoginProblem text={t('login.expired')} mild />}
        <Tabs
          value={chosen ?? firstTab(status)}
          onChange={choose}
          className={classes.tabs}
          keepMounted={false}
        >
          <Tabs.List className={classes.tabList}>
            {hasPhone && <Tabs.Tab value="phone">{t('login.tab.phone')}</Tabs.Tab>}
            <Tabs.Tab value="password">{t('login.tab.password')}</Tabs.Tab>
          </Tabs.List>
          {hasPhone && (
            <Tabs.Panel value="phone">
              <Suspense fallback={<LoadingRows rows={4} height={66} />}>
                <PhoneLogin human={human} />
              </Suspense>
            </Tabs.Panel>
          )}
          <Tabs.Panel value="password">
            {status?.password_login === false ? (
              <p className={classes.problem}>{t('login.disabled')}</p>
            ) : (
              <AccountLogin human={human} />
            )}
          </Tabs.Panel>
        </Tabs>
        {human.widget !== null && <div className={classes.human}>{human.widget}</div>}
        <PasskeyLogin target={originOf(location.state)} />
        <OtherLogins status={status} />
      </div>
    </SignPage>
  );
}

/**
 * Password reset: a link by mail, and with that link a new password
 * (docs/rules/console.md#reset-screen).
 */
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { SignPage } from '../../../components/sign-page.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';
import { LoginSign } from '../login-sign.tsx';
import { ConfirmReset } from './confirm-reset.tsx';
import { RequestReset } from './request-reset.tsx';

export function ResetScreen() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const email = parameters.get('email') ?? '';
  const token = parameters.get('token') ?? '';
  const title = t('reset.title');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <SignPage sign={<LoginSign />}>
      <div className={classes.form}>
        <h1 className={classes.title}>{title}</h1>
        {email === '' || token === '' ? (
          <RequestReset />
        ) : (
          <ConfirmReset email={email} token={token} />
        )}
        <p className={classes.other}>
          <Link to="/login">{t('reset.back')}</Link>
        </p>
      </div>
    </SignPage>
  );
}

/** Registration by user name and password (docs/rules/console.md#registration-screen). */
import { useEffect } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { useUser } from '../../../client/session.ts';
import { useHumanCheck } from '../../../components/human-check/use-human-check.tsx';
import { SignPage } from '../../../components/sign-page.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { isRegistrationOpen, useStatus } from '../../../queries/use-status.ts';
import classes from '../login.module.css';
import { LoginSign } from '../login-sign.tsx';
import { originOf } from '../origin.ts';
import { OtherLogins } from '../providers/index.tsx';
import { RegisterForm } from './register-form.tsx';
import { useRegister } from './use-register.ts';

export function RegisterScreen() {
  const { t } = useTranslation();
  const user = useUser();
  const status = useStatus();
  const location = useLocation();
  const human = useHumanCheck();
  const register = useRegister(originOf(location.state), location.state, human);
  const title = t('register.title', { name: status?.system_name ?? '' });
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (user !== null && register.isIdle) return <Navigate to={originOf(location.state)} replace />;
  return (
    <SignPage sign={<LoginSign />}>
      <div className={classes.form}>
        <h1 className={classes.title}>{title}</h1>
        {isRegistrationOpen(status) ? (
          <RegisterForm
            register={register}
            human={human}
            withEmail={status?.email_verification === true}
          />
        ) : (
          <p className={classes.problem} data-mild>
            {t('register.closed')}
          </p>
        )}
        {status?.register_enabled === true && !status.self_use_mode_enabled && (
          <OtherLogins status={status} />
        )}
        <p className={classes.other}>
          {t('register.hasAccount')}{' '}
          <Link to="/login" state={location.state}>
            {t('register.logIn')}
          </Link>
        </p>
      </div>
    </SignPage>
  );
}

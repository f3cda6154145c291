/** The second step of a login, whatever the first one was (docs/rules/console.md#second-step). */
import { useEffect } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';
import { isObject } from '../../../../core/kernel/json.ts';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { storeUser } from '../../../client/session.ts';
import { FactorForm } from '../../../components/second-factor/factor-form.tsx';
import { SignPage } from '../../../components/sign-page.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';
import { LoginSign } from '../login-sign.tsx';
import { originOf } from '../origin.ts';

export function SecondStepScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { state } = useLocation();
  const title = t('factor.step.title');
  useEffect(() => {
    document.title = title;
  }, [title]);
  const challenge = isObject(state) ? state['challenge'] : undefined;
  if (typeof challenge !== 'string') return <Navigate to="/login" replace />;
  const methods =
    isObject(state) && Array.isArray(state['methods']) ? state['methods'].map(String) : [];
  const target = originOf(state);
  return (
    <SignPage sign={<LoginSign />}>
      <div className={classes.form}>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.lead}>{t('factor.step.lead')}</p>
        <div className={classes.fields}>
          <FactorForm
            methods={methods}
            submitLabel={t('factor.step.submit')}
            passkeyOptions={() => client.secondStep.challengeOptions({ challenge })}
            prove={async (proof) => {
              const { code, passkey } = proof;
              storeUser(await client.secondStep.complete({ challenge, code, passkey }));
              toastSuccess(t('login.done'));
              await navigate(target, { replace: true });
            }}
          />
        </div>
        <p className={classes.other}>
          <Link to="/login" state={{ from: target }}>
            {t('factor.step.back')}
          </Link>
        </p>
      </div>
    </SignPage>
  );
}

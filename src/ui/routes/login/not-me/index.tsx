/**
 * "It was not me", from the mail about a change of the account
 * (docs/rules/console.md#not-me-screen).
 */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { client } from '../../../client/api.ts';
import { forgetUser } from '../../../client/session.ts';
import { SignPage } from '../../../components/sign-page.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';
import { LoginSign } from '../login-sign.tsx';
import { ResetProblem } from '../reset/reset-problem.tsx';

export function NotMeScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { hash } = useLocation();
  // The part of an address that reaches no server. It is removed from the address, and so from the
  // history.
  const [token] = useState(() => new URLSearchParams(hash.slice(1)).get('token') ?? '');
  const title = t('notMe.title');
  useEffect(() => {
    document.title = title;
    if (hash !== '') void navigate('/not-me', { replace: true });
  }, [hash, navigate, title]);
  const disavow = useMutation({
    mutationFn: async () => {
      const { reset_mailed: isMailed } = await client.auth.disavow({ token });
      // If this browser was signed in to the account, it is no more.
      forgetUser();
      return isMailed;
    },
    meta: { quiet: true },
  });
  const body = () => {
    if (token === '') return <p className={classes.lead}>{t('notMe.incomplete')}</p>;
    if (disavow.data !== undefined)
      return (
        <p className={classes.lead} role="status">
          {t(disavow.data ? 'notMe.done' : 'notMe.done.unmailed')}
        </p>
      );
    return (
      <>
        <p className={classes.lead}>{t('notMe.lead')}</p>
        <ResetProblem error={disavow.error} />
        <div className={classes.fields}>
          <Button size="md" fullWidth loading={disavow.isPending} onClick={() => disavow.mutate()}>
            {t('notMe.submit')}
          </Button>
        </div>
      </>
    );
  };
  return (
    <SignPage sign={<LoginSign />}>
      <div className={classes.form}>
        <h1 className={classes.title}>{title}</h1>
        {body()}
        <p className={classes.other}>
          <Link to="/login">{t('reset.back')}</Link>
        </p>
      </div>
    </SignPage>
  );
}

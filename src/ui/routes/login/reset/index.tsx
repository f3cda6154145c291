/**
 * Password reset: a link by mail, and with that link a new password
 * (docs/rules/console.md#reset-screen).
 */

import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CallError } from '../../../../core/contract/envelope.ts';
import { client } from '../../../client/api.ts';
import { forgetUser } from '../../../client/session.ts';
import { useHumanCheck } from '../../../components/human-check/use-human-check.tsx';
import { SignPage } from '../../../components/sign-page.tsx';
import { useCopy } from '../../../components/use-copy.tsx';
import { useCountdown } from '../../../hooks/use-countdown.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';
import { LoginSign } from '../login-sign.tsx';
import { ResetProblem } from './reset-problem.tsx';

/** The server mails one link in this time (docs/rules/accounts.md#codes). */
const pauseSeconds = 30;

function RequestReset() {
  const { t } = useTranslation();
  const countdown = useCountdown(pauseSeconds);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: (value) => (value.trim() === '' ? t('reset.email.missing') : null) },
  });
  const human = useHumanCheck();
  const request = useMutation({
    mutationFn: (input: { email: string }) =>
      human.run((turnstile) => client.auth.requestReset({ ...input, ...turnstile })),
    meta: { quiet: true },
    onSuccess: countdown.start,
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ email }) => request.mutate({ email: email.trim() }))}
    >
      <p className={classes.lead}>{t('reset.lead')}</p>
      <ResetProblem error={request.error} />
      {request.isSuccess && (
        <p className={classes.problem} data-mild role="status">
          {t('reset.sent')}
        </p>
      )}
      <div className={classes.fields}>
        <TextInput
          type="email"
          label={t('reset.email')}
          autoComplete="email"
          autoFocus
          size="md"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        {human.widget}
        <Button
          type="submit"
          fullWidth
          size="md"
          loading={request.isPending}
          disabled={countdown.left > 0}
        >
          {countdown.left > 0 ? t('reset.again', { seconds: countdown.left }) : t('reset.send')}
        </Button>
      </div>
    </form>
  );
}

function ConfirmReset({ email, token }: { email: string; token: string }) {
  const { t } = useTranslation();
  const { copy, copied } = useCopy();
  const reset = useMutation({
    mutationFn: async () => {
      const password = await client.auth.reset({ email, token });
      // The login of this browser ended with the others.
      forgetUser();
      return { password, isCopied: await copy(password) };
    },
    meta: { quiet: true },
  });
  if (reset.data !== undefined) {
    const { password, isCopied } = reset.data;
    return (
      <>
        <p className={classes.lead} role="status">
          {t(isCopied ? 'reset.done.copied' : 'reset.done')}
        </p>
        <code className={classes.newPassword}>{password}</code>
        <div className={classes.fields}>
          <Button variant="default" size="md" fullWidth onClick={() => void copy(password)}>
            {t(copied ? 'reset.copied' : 'reset.copy')}
          </Button>
          <Button component={Link} to="/login" size="md" fullWidth>
            {t('reset.logIn')}
          </Button>
        </div>
      </>
    );
  }
  const isVoid = reset.error instanceof CallError && reset.error.code === 'reset_link_invalid';
  return (
    <>
      <p className={classes.lead}>{t('reset.confirm.lead')}</p>
      <ResetProblem error={reset.error} />
      <div className={classes.fields}>
        <TextInput label={t('reset.email')} value={email} readOnly size="md" />
        {isVoid ? (
          <Button component={Link} to="/reset" size="md" fullWidth>
            {t('reset.newLink')}
          </Button>
        ) : (
          <Button size="md" fullWidth loading={reset.isPending} onClick={() => reset.mutate()}>
            {t('reset.confirm')}
          </Button>
        )}
      </div>
    </>
  );
}

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

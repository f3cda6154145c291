/**
 * Login by phone number, e-mail address or user name, and a password
 * (docs/rules/console.md#login-screen).
 */

import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { client } from '../../client/api.ts';
import { toastProblem } from '../../client/failures.ts';
import { latePart } from '../../client/late-part.ts';
import type { HumanCheck } from '../../components/human-check/use-human-check.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './login.module.css';
import { LoginProblem } from './login-problem.tsx';
import { useLoginFailure, useSignIn } from './use-sign-in.ts';

const SecondStep = latePart(async () => ({
  default: (await import('./second-step.tsx')).SecondStep,
}));

interface OpenStep {
  readonly checkCode: string;
  /** With its middle hidden. */
  readonly phone: string;
}

export function AccountLogin({ human }: { readonly human: HumanCheck }) {
  const { t } = useTranslation();
  const signIn = useSignIn();
  const failure = useLoginFailure();
  const [step, setStep] = useState<OpenStep>();
  const [ended, setEnded] = useState<string>();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { account: '', password: '' },
    validate: {
      account: (value) => (value.trim() === '' ? t('login.account.missing') : null),
      password: (value) => (value === '' ? t('login.password.missing') : null),
    },
  });
  const login = useMutation({
    meta: { quiet: true },
    mutationFn: async ({ account, password }: { account: string; password: string }) => {
      setEnded(undefined);
      const reply = await human.run((turnstile) =>
        client.public.accountLogin({ param: account.trim(), password, ...turnstile }),
      );
      if (reply.check_code) setStep({ checkCode: reply.check_code, phone: reply.phone ?? '' });
      else await signIn(reply.token);
    },
  });
  return (
    <>
      <LoginProblem text={login.isError ? failure(login.error) : ended} />
      <form noValidate onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <TextInput
          label={t('login.account')}
          placeholder={t('login.account.placeholder')}
          autoComplete="username"
          autoFocus
          size="md"
          key={form.key('account')}
          {...form.getInputProps('account')}
        />
        <PasswordInput
          mt={16}
          label={t('login.password')}
          autoComplete="current-password"
          size="md"
          visibilityToggleButtonProps={{ 'aria-label': t('login.password.show') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <p className={classes.forgot}>
          <Link to="/reset">{t('login.forgot')}</Link>
        </p>
        <Button mt={16} type="submit" fullWidth size="md" loading={login.isPending}>
          {t('login.submit')}
        </Button>
      </form>
      <Suspense fallback={null}>
        {step !== undefined && (
          <SecondStep
            {...step}
            human={human}
            onDone={signIn}
            onCancel={() => {
              setStep(undefined);
              toastProblem(t('slider.cancelled'));
            }}
            onExpired={(text) => {
              setStep(undefined);
              setEnded(text);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

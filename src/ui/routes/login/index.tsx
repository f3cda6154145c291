/** Login by account and password. */
import { Button, PasswordInput, Tabs, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { CallError } from '../../../core/contract/envelope.ts';
import { client } from '../../client/api.ts';
import { failureText, toastSuccess } from '../../client/failures.ts';
import { storeUser, useUser } from '../../client/session.ts';
import { SignPage } from '../../components/sign-page.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { isRegistrationOpen, useStatus } from '../../queries/use-status.ts';
import classes from './login.module.css';
import { LoginSign } from './login-sign.tsx';
import { originOf } from './origin.ts';
import { PasskeyLogin } from './second-factor/passkey-login.tsx';

export function LoginScreen() {
  const { t } = useTranslation();
  const user = useUser();
  const status = useStatus();
  const navigate = useNavigate();
  const location = useLocation();
  const [parameters] = useSearchParams();
  const target = originOf(location.state);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: {
      username: (value) => (value.trim() === '' ? t('login.account.missing') : null),
      password: (value) => (value === '' ? t('login.password.missing') : null),
    },
  });
  const login = useMutation({
    mutationFn: client.auth.login,
    meta: { quiet: true },
    onSuccess: async (signedIn) => {
      storeUser(signedIn);
      toastSuccess(t('login.done'));
      await navigate(target, { replace: true });
    },
  });
  const name = status?.system_name ?? '';
  const title = t('login.title', { name });
  useEffect(() => {
    document.title = title;
  }, [title]);

  if (user !== null && !login.isSuccess) return <Navigate to={target} replace />;
  // Without an answer there is nothing to quote (docs/rules/console.md#failures).
  const answered = login.error instanceof CallError && login.error.status > 0;
  const loginFailure = answered ? failureText(login.error) : t('login.failed');
  const problem = login.isError ? loginFailure : parameters.get('expired') === 'true' ? t('login.expired') : undefined;
  return (
    <SignPage sign={<LoginSign />}>
      <div className={classes.form}>
        <h1 className={classes.title}>{title}</h1>
        <Tabs value="password" className={classes.tabs}>
          <Tabs.List>
            <Tabs.Tab value="password">{t('login.tab.password')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="password">
            {problem !== undefined && (
              <p className={classes.problem} data-mild={!login.isError || undefined} role="alert">
                <CircleAlert size={16} aria-hidden="true" />
                {problem}
              </p>
            )}
            {status?.password_login === false ? (
              <p className={classes.problem}>{t('login.disabled')}</p>
            ) : (
              <form
                noValidate
                onSubmit={form.onSubmit((values) => login.mutate({ ...values, username: values.username.trim() }))}
              >
                <TextInput
                  label={t('login.account')}
                  placeholder={t('login.account.placeholder')}
                  autoComplete="username"
                  autoFocus
                  size="md"
                  key={form.key('username')}
                  {...form.getInputProps('username')}
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
            )}
          </Tabs.Panel>
        </Tabs>
        <PasskeyLogin target={target} />
        {isRegistrationOpen(status) && (
          <p className={classes.other}>
            {t('login.noAccount')}{' '}
            <Link to="/register" state={location.state}>
              {t('login.register')}
            </Link>
          </p>
        )}
      </div>
    </SignPage>
  );
}

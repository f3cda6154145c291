/**
 * First start: code from the terminal, site and root user, use mode; one button
 * (docs/rules/console.md#setup-screen).
 */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { CallError } from '../../../core/contract/envelope.ts';
import { readStored, storageKeys } from '../../browser/local-storage.ts';
import { homePath } from '../../browser/paths.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { storeUser } from '../../client/session.ts';
import { SignPage } from '../../components/sign-page.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import {
  checkCredentials,
  isCommonPassword,
  nameBounds,
  passwordBounds,
  passwordLength,
} from '../../form/credentials.ts';
import { changeLanguage, useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { statusQuery } from '../../queries/use-status.ts';
import { type ModeName, ModePicker } from './mode-picker.tsx';

import classes from './setup.module.css';
import { SetupCode } from './setup-code.tsx';
import { SetupSign } from './setup-sign.tsx';
import { useSetupCode } from './use-setup-code.ts';

/** The screen, in the language of the browser where nobody has chosen one yet. */
export async function setupScreen(): Promise<ComponentType> {
  const [known] = navigator.languages.flatMap((name) => /^(zh|en)\b/i.exec(name)?.[1] ?? []);
  if (readStored(storageKeys.language) === null && known?.toLowerCase() === 'en')
    await changeLanguage('en');
  return SetupScreen;
}

/** From here on length alone makes a password strong. */
const strongPassword = 12;

export function SetupScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const state = useQuery({
    queryKey: queryKeys.setup,
    queryFn: () => client.system.setupStatus(),
    staleTime: 0,
  });
  const setupCode = useSetupCode();
  const { code, right: codeRight } = setupCode;
  const [mode, setMode] = useState<ModeName>('external');
  const hasRoot = state.data?.root_init ?? false;
  const form = useForm({
    initialValues: { SystemName: 'Turnpike', username: 'root', password: '', confirmPassword: '' },
    validateInputOnBlur: true,
    validate: (values) => (hasRoot ? {} : checkCredentials(values, t)),
  });
  const setUp = useMutation({
    mutationFn: client.system.setup,
    onSuccess: async (_, request) => {
      const { username = '', password = '' } = request ?? {};
      // A user who just chose the password need not enter it again.
      const user = hasRoot
        ? undefined
        : await client.auth.login({ username, password }).catch(() => undefined);
      await queryClient.fetchQuery({ ...statusQuery, staleTime: 0 });
      if (user !== undefined) storeUser(user);
      toastSuccess(t(user === undefined ? 'setup.done' : 'setup.done.signedIn'));
      await navigate(user === undefined ? '/login' : homePath, { replace: true });
    },
    onError: (error) => {
      if (error instanceof CallError && error.code === 'setup_token_wrong') setupCode.refuse();
    },
  });
  const title = t('setup.title');
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (state.data?.status === true && !setUp.isPending && !setUp.isSuccess)
    return <Navigate to="/login" replace />;

  const values = form.getValues();
  const siteDone = hasRoot || Object.keys(checkCredentials(values, t)).length === 0;
  const submit = form.onSubmit(({ SystemName, username, ...passwords }) => {
    if (code === '') return setupCode.refuse();
    setUp.mutate({
      ...passwords,
      username: username.trim(),
      ...(SystemName.trim() === '' ? {} : { SystemName: SystemName.trim() }),
      SelfUseModeEnabled: mode === 'self',
      DemoSiteEnabled: mode === 'demo',
      setup_token: code,
    });
  });
  /** What is wrong takes the place of the hint. */
  const field = (name: keyof typeof values, hint: ReactNode) => {
    const props = form.getInputProps(name);
    return { ...props, description: props.error ? undefined : hint };
  };
  const count = passwordLength(values.password);
  const isCommon = isCommonPassword(values.password);
  const long = count >= passwordBounds.min;
  const passwordHint = () => {
    if (!long) return t('credentials.password.hint', passwordBounds);
    if (isCommon) return t('credentials.passwordCommon');
    return t(
      count >= strongPassword ? 'credentials.password.long' : 'credentials.password.enough',
      { count },
    );
  };
  return (
    <SignPage
      name={values.SystemName.trim()}
      sign={
        <SetupSign
          name={values.SystemName.trim()}
          done={[codeRight === true, siteDone && codeRight === true, false]}
        />
      }
    >
      <form className={classes.form} noValidate onSubmit={submit}>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.subtitle}>{t('setup.subtitle')}</p>

        <section className={classes.step}>
          <div className={classes.stepHead}>
            <h2>{t('setup.code.title')}</h2>
            <span role="status">
              {codeRight === true && <StatusDot tone="ok" label={t('setup.code.right')} />}
              {codeRight === false && (
                <StatusDot
                  tone="red"
                  label={t(code === '' ? 'setup.code.missing' : 'setup.code.wrong')}
                />
              )}
            </span>
          </div>
          <SetupCode state={setupCode} />
        </section>

        <section className={classes.step}>
          <h2>{t('setup.site.title')}</h2>
          <div className={classes.grid}>
            <TextInput
              label={t('setup.site.name')}
              {...field('SystemName', t('setup.site.name.hint'))}
            />
            {!hasRoot && (
              <>
                <TextInput
                  label={t('credentials.username')}
                  autoComplete="username"
                  {...field('username', t('credentials.username.hint', nameBounds))}
                />
                <PasswordInput
                  label={t('credentials.password')}
                  autoComplete="new-password"
                  visibilityToggleButtonProps={{ 'aria-label': t('login.password.show') }}
                  {...field(
                    'password',
                    <span className={long && !isCommon ? classes.good : undefined}>
                      {passwordHint()}
                    </span>,
                  )}
                />
                <PasswordInput
                  label={t('credentials.again')}
                  placeholder={t('credentials.again.hint')}
                  autoComplete="new-password"
                  visibilityToggleButtonProps={{ 'aria-label': t('login.password.show') }}
                  {...form.getInputProps('confirmPassword')}
                />
              </>
            )}
          </div>
          {hasRoot && <p className={classes.subtitle}>{t('setup.site.rootExists')}</p>}
        </section>

        <section className={classes.step}>
          <h2>{t('setup.mode.title')}</h2>
          <ModePicker value={mode} onChange={setMode} />
        </section>

        <footer className={classes.foot}>
          <p>
            {t('setup.terminal')} <code>turnpike setup</code>
          </p>
          <Button
            type="submit"
            size="md"
            rightSection={<ArrowRight size={16} />}
            loading={setUp.isPending}
          >
            {t('setup.submit')}
          </Button>
        </footer>
      </form>
    </SignPage>
  );
}

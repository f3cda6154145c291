import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CircleAlert } from 'lucide-react';
import { CallError } from '../../../../core/contract/envelope.ts';
import { failureText } from '../../../client/failures.ts';
import type { HumanCheck } from '../../../components/human-check/use-human-check.tsx';
import { checkCredentials } from '../../../form/credentials.ts';
import { EmailCodeFields } from '../../../form/email-code-fields.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';
import { storedInvite } from '../stored-invite.ts';
import type { RegisterMutation } from './use-register.ts';

/** At which field a failure is shown; undefined: above the form. */
function fieldOfError(error: unknown): 'username' | 'email' | 'code' | undefined {
  if (!(error instanceof CallError)) return undefined;
  if (error.code === 'username_taken') return 'username';
  if (error.code === 'verification_code_invalid') return 'code';
  return error.field === 'email' || error.code === 'email_taken' ? 'email' : undefined;
}

/** `withEmail`: the site verifies addresses. */
export function RegisterForm({
  register,
  human,
  withEmail,
}: {
  register: RegisterMutation;
  human: HumanCheck;
  withEmail: boolean;
}) {
  const { t } = useTranslation();
  const invite = storedInvite();
  const form = useForm({
    initialValues: { username: '', password: '', confirmPassword: '', email: '', code: '' },
    validateInputOnBlur: true,
    validate: (values) => ({
      ...checkCredentials(values, t),
      ...(withEmail && values.email.trim() === '' && { email: t('emailCode.missing') }),
      ...(withEmail && values.code.trim() === '' && { code: t('emailCode.code.missing') }),
    }),
  });
  const submit = form.onSubmit(({ username, password, confirmPassword, email, code }) =>
    register.mutate(
      {
        username: username.trim(),
        password,
        password2: confirmPassword,
        ...(withEmail && { email: email.trim(), verification_code: code.trim() }),
      },
      {
        onError: (error) => {
          const name = fieldOfError(error);
          if (name !== undefined) form.setFieldError(name, failureText(error));
        },
      },
    ),
  );
  const { error } = register;
  const answered = error instanceof CallError && error.status > 0;
  const isAtField = fieldOfError(error) !== undefined;
  const show = { 'aria-label': t('login.password.show') };
  /** What is wrong takes the place of the hint. */
  const field = (name: keyof typeof form.values, hint?: string) => {
    const props = form.getInputProps(name);
    return { ...props, size: 'md', description: props.error ? undefined : hint };
  };
  return (
    <form noValidate onSubmit={submit}>
      {invite !== '' && <p className={classes.invite}>{t('register.invited', { code: invite })}</p>}
      {register.isError && !isAtField && (
        <p className={classes.problem} role="alert">
          <CircleAlert size={16} aria-hidden="true" />
          {answered ? failureText(error) : t('register.failed')}
        </p>
      )}
      <div className={classes.fields}>
        <TextInput
          label={t('credentials.username')}
          autoComplete="username"
          autoFocus
          {...field('username', t('register.name.hint'))}
        />
        <PasswordInput
          label={t('credentials.password')}
          autoComplete="new-password"
          visibilityToggleButtonProps={show}
          {...field('password', t('register.password.hint'))}
        />
        <PasswordInput
          label={t('credentials.again')}
          autoComplete="new-password"
          visibilityToggleButtonProps={show}
          {...field('confirmPassword')}
        />
        {withEmail && (
          <EmailCodeFields
            human={human}
            email={form.values.email}
            emailProps={field('email')}
            codeProps={field('code', t('emailCode.code.hint'))}
            onProblem={(message) => form.setFieldError('email', message)}
          />
        )}
        {human.widget}
        <Button mt={8} type="submit" fullWidth size="md" loading={register.isPending}>
          {t('register.submit')}
        </Button>
      </div>
    </form>
  );
}

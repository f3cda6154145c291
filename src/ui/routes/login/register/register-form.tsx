import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CircleAlert } from 'lucide-react';
import { CallError } from '../../../../core/contract/envelope.ts';
import { failureText } from '../../../client/failures.ts';
import { checkCredentials } from '../../../form/credentials.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';
import { type RegisterMutation, storedInvite } from './use-register.ts';

export function RegisterForm({ register }: { register: RegisterMutation }) {
  const { t } = useTranslation();
  const invite = storedInvite();
  const form = useForm({
    initialValues: { username: '', password: '', confirmPassword: '' },
    validateInputOnBlur: true,
    validate: (values) => checkCredentials(values, t),
  });
  const submit = form.onSubmit(({ username, password, confirmPassword }) =>
    register.mutate(
      { username: username.trim(), password, password2: confirmPassword },
      {
        onError: (error) => {
          if (error instanceof CallError && error.code === 'username_taken') form.setFieldError('username', failureText(error));
        },
      },
    ),
  );
  const { error } = register;
  const answered = error instanceof CallError && error.status > 0;
  const isAtField = error instanceof CallError && error.code === 'username_taken';
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
        <Button mt={8} type="submit" fullWidth size="md" loading={register.isPending}>
          {t('register.submit')}
        </Button>
      </div>
    </form>
  );
}

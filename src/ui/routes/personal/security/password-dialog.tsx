/** A new password for the own account (docs/rules/accounts.md#own-account). */
import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CallError } from '../../../../core/contract/envelope.ts';
import { client } from '../../../client/api.ts';
import { leaveWhenExpired, toastSuccess } from '../../../client/failures.ts';
import { useUser } from '../../../client/session.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { FormFailure } from '../../../components/form-failure.tsx';
import { checkPasswords, passwordBounds } from '../../../form/credentials.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';

interface PasswordDialogProps {
  /** The account has one, which must be entered. */
  readonly hasPassword: boolean;
  readonly onChanged: () => Promise<unknown>;
  readonly onClose: () => void;
}

const fields = {
  original_password_wrong: 'current',
  account_locked: 'current',
  password_invalid: 'password',
  password_too_common: 'password',
} as const;

/** The field that a refusal is about. */
function fieldOf(error: unknown) {
  const code = error instanceof CallError ? error.code : undefined;
  return code !== undefined && code in fields ? fields[code as keyof typeof fields] : undefined;
}

export function PasswordDialog({ hasPassword, onChanged, onClose }: PasswordDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const user = useUser();
  const form = useForm({
    initialValues: { current: '', password: '', confirmPassword: '' },
    validate: (values) => ({
      ...checkPasswords(values, t),
      ...(hasPassword &&
        values.current === '' && { current: t('security.password.currentMissing') }),
    }),
  });
  const change = useMutation({
    meta: { quiet: true },
    mutationFn: ({ current, password }: { readonly current: string; readonly password: string }) =>
      client.self.update({ password, ...(hasPassword && { original_password: current }) }),
    onSuccess: async () => {
      await Promise.all([
        onChanged(),
        queryClient.invalidateQueries({ queryKey: queryKeys.sessions(user?.id) }),
      ]);
      toastSuccess(t('security.password.done'));
      onClose();
    },
    onError: (error) => {
      if (leaveWhenExpired(error)) return;
      const field = fieldOf(error);
      if (field !== undefined) form.setFieldError(field, (error as CallError).message);
    },
  });
  const show = { 'aria-label': t('common.secret.show') };
  const { error: passwordError } = form.getInputProps('password');
  return (
    <Dialog
      opened
      onClose={onClose}
      size={400}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      title={t(hasPassword ? 'security.password.change' : 'security.password.create')}
    >
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values))}>
        {/* Password managers file the new password under this name. */}
        <input type="text" hidden readOnly autoComplete="username" value={user?.username ?? ''} />
        <Stack gap={16}>
          {hasPassword && (
            <PasswordInput
              label={t('security.password.current')}
              autoComplete="current-password"
              visibilityToggleButtonProps={show}
              data-autofocus
              {...form.getInputProps('current')}
            />
          )}
          <PasswordInput
            label={t('security.password.new')}
            description={
              passwordError ? undefined : t('security.password.hint', { min: passwordBounds.min })
            }
            autoComplete="new-password"
            visibilityToggleButtonProps={show}
            {...(!hasPassword && { 'data-autofocus': true })}
            {...form.getInputProps('password')}
          />
          <PasswordInput
            label={t('security.password.confirm')}
            autoComplete="new-password"
            visibilityToggleButtonProps={show}
            {...form.getInputProps('confirmPassword')}
          />
        </Stack>
        <FormFailure error={fieldOf(change.error) === undefined ? change.error : null} />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t(hasPassword ? 'security.password.change' : 'security.password.create')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

/** Binds an e-mail address by a mailed code (docs/rules/accounts.md#bindings). */
import { Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../../../core/contract/envelope.ts';
import { client } from '../../../client/api.ts';
import { failureText, leaveWhenExpired } from '../../../client/failures.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { useHumanCheck } from '../../../components/human-check/use-human-check.tsx';
import { EmailCodeFields } from '../../../form/email-code-fields.tsx';
import { useTranslation } from '../../../i18n/index.ts';

interface EmailDialogProps {
  readonly onClose: () => void;
  readonly onBound: () => Promise<void>;
}

export function EmailDialog({ onClose, onBound }: EmailDialogProps) {
  const { t } = useTranslation();
  const human = useHumanCheck();
  const form = useForm({
    initialValues: { email: '', code: '' },
    validate: {
      email: (value) => (value.trim() === '' ? t('emailCode.missing') : null),
      code: (value) => (value.trim() === '' ? t('emailCode.code.missing') : null),
    },
  });
  const bind = useMutation({
    mutationFn: (values: typeof form.values) =>
      client.oauth.emailBind({ email: values.email.trim(), code: values.code.trim() }),
    meta: { quiet: true },
    onSuccess: onBound,
    onError: (error) => {
      if (leaveWhenExpired(error)) return;
      const isAddress =
        error instanceof CallError && (error.field === 'email' || error.code === 'email_taken');
      form.setFieldError(isAddress ? 'email' : 'code', failureText(error));
    },
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      size={440}
      title={t('identity.email.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form noValidate onSubmit={form.onSubmit((values) => bind.mutate(values))}>
        <EmailCodeFields
          human={human}
          size="sm"
          email={form.values.email}
          emailProps={form.getInputProps('email')}
          codeProps={{ ...form.getInputProps('code'), mt: 16 }}
          onProblem={(message) => form.setFieldError('email', message)}
        />
        {human.widget}
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={bind.isPending}>
            {t('identity.bind')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

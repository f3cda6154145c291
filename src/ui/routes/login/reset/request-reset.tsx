import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import { useHumanCheck } from '../../../components/human-check/use-human-check.tsx';
import { useCountdown } from '../../../hooks/use-countdown.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';
import { ResetProblem } from './reset-problem.tsx';

/** The server mails one link in this time (docs/rules/accounts.md#codes). */
const pauseSeconds = 30;

export function RequestReset() {
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

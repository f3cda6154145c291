import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../core/contract/envelope.ts';
import { client } from '../client/api.ts';
import { failureText, toastSuccess } from '../client/failures.ts';
import type { HumanCheck } from '../components/human-check/use-human-check.tsx';
import { useCountdown } from '../hooks/use-countdown.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './email-code-fields.module.css';

/** The server mails one code in this time (docs/rules/accounts.md#codes). */
const pauseSeconds = 30;

interface EmailCodeFieldsProps {
  readonly human: HumanCheck;
  readonly size?: 'sm' | 'md';
  readonly email: string;
  readonly emailProps: TextInputProps;
  readonly codeProps: TextInputProps;
  /** Called with what is wrong with the address. */
  readonly onProblem: (message: string) => void;
}

/** The address, a button that has a code mailed to it, and the code. */
export function EmailCodeFields({
  human,
  size = 'md',
  email,
  emailProps,
  codeProps,
  onProblem,
}: EmailCodeFieldsProps) {
  const { t } = useTranslation();
  const countdown = useCountdown(pauseSeconds);
  const address = email.trim();
  const send = useMutation({
    mutationFn: () =>
      human.run((turnstile) => client.auth.sendCode({ email: address, ...turnstile })),
    meta: { quiet: true },
    onSuccess: () => {
      countdown.start();
      toastSuccess(t('emailCode.sent', { email: address }));
    },
    onError: (error) => {
      onProblem(
        error instanceof CallError && error.status > 0 ? failureText(error) : t('emailCode.failed'),
      );
    },
  });
  return (
    <>
      <div className={classes.withButton}>
        <TextInput
          size={size}
          type="email"
          label={t('emailCode.email')}
          autoComplete="email"
          {...emailProps}
        />
        <Button
          variant="default"
          size={size}
          loading={send.isPending}
          disabled={countdown.left > 0}
          onClick={() => (address === '' ? onProblem(t('emailCode.missing')) : send.mutate())}
        >
          {countdown.left > 0 ? `${countdown.left} s` : t('emailCode.get')}
        </Button>
      </div>
      <TextInput
        size={size}
        label={t('emailCode.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...codeProps}
      />
    </>
  );
}

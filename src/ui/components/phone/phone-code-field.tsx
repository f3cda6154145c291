import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../../core/contract/envelope.ts';
import { client } from '../../client/api.ts';
import { failureText, toastSuccess } from '../../client/failures.ts';
import { useCountdown } from '../../hooks/use-countdown.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { HumanCheck } from '../human-check/use-human-check.tsx';
import classes from './phone-fields.module.css';

export interface PhoneCodeFieldProps extends TextInputProps {
  /** To whom the code goes: a number, or the phone of the account whose login is open. */
  readonly to: { readonly phone: string } | { readonly check_code: string };
  readonly human: HumanCheck;
  /** What must be true before a code is sent; it calls `send` then. */
  readonly before: (send: () => void) => void;
  /** Called with a failure and its text. */
  readonly onFailure: (error: unknown, text: string) => void;
}

/**
 * The server sends one code to a number in this time; its reply says so, too
 * (docs/rules/accounts.md#phone-codes).
 */
const pauseSeconds = 60;

/** A code, and the button that has it sent and counts down. */
export function PhoneCodeField({ to, human, before, onFailure, ...input }: PhoneCodeFieldProps) {
  const { t } = useTranslation();
  const countdown = useCountdown(pauseSeconds);
  const send = useMutation({
    mutationFn: () => human.run((turnstile) => client.public.messageCode({ ...to, ...turnstile })),
    meta: { quiet: true },
    onSuccess: ({ countdown: seconds }) => {
      countdown.startFrom(seconds);
      toastSuccess(t('phone.code.sent'));
    },
    onError: (error) => {
      const answered = error instanceof CallError && error.status > 0;
      if (answered && error.code === 'sms_too_soon' && error.seconds !== undefined)
        countdown.startFrom(error.seconds);
      onFailure(error, answered ? failureText(error) : t('phone.code.failed'));
    },
  });
  return (
    <div className={classes.withButton}>
      <TextInput
        label={t('phone.code')}
        placeholder={t('phone.code.placeholder')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        size="md"
        {...input}
      />
      <Button
        variant="default"
        size="md"
        loading={send.isPending}
        disabled={countdown.left > 0}
        onClick={() => before(() => send.mutate())}
      >
        {countdown.left > 0
          ? t('phone.code.again', { seconds: countdown.left })
          : t('phone.code.get')}
      </Button>
    </div>
  );
}

import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../../../core/contract/envelope.ts';
import { client } from '../../../client/api.ts';
import { failureText, toastSuccess } from '../../../client/failures.ts';
import type { HumanCheck } from '../../../components/human-check/use-human-check.tsx';
import { useCountdown } from '../../../hooks/use-countdown.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';

/** The server mails one code in this time (docs/rules/accounts.md#codes). */
const pauseSeconds = 30;

export interface EmailFieldsProps {
  readonly human: HumanCheck;
  readonly email: string;
  readonly emailProps: TextInputProps;
  readonly codeProps: TextInputProps;
  /** Called with what is wrong with the address. */
  readonly onProblem: (message: string) => void;
}

/** The address, a button that has a code mailed to it, and the code. */
export function EmailFields({ human, email, emailProps, codeProps, onProblem }: EmailFieldsProps) {
  const { t } = useTranslation();
  const countdown = useCountdown(pauseSeconds);
  const address = email.trim();
  const send = useMutation({
    mutationFn: () => human.run((turnstile) => client.auth.sendCode({ email: address, ...turnstile })),
    meta: { quiet: true },
    onSuccess: () => {
      countdown.start();
      toastSuccess(t('register.code.sent', { email: address }));
    },
    onError: (error) => {
      onProblem(error instanceof CallError && error.status > 0 ? failureText(error) : t('register.code.failed'));
    },
  });
  return (
    <>
      <div className={classes.withButton}>
        <TextInput type="email" label={t('register.email')} autoComplete="email" {...emailProps} />
        <Button
          variant="default"
          size="md"
          loading={send.isPending}
          disabled={countdown.left > 0}
          onClick={() => (address === '' ? onProblem(t('register.email.missing')) : send.mutate())}
        >
          {countdown.left > 0 ? `${countdown.left} s` : t('register.code.get')}
        </Button>
      </div>
      <TextInput label={t('register.code')} inputMode="numeric" autoComplete="one-time-code" maxLength={6} {...codeProps} />
    </>
  );
}

/** The code that completes a login by password (docs/rules/accounts.md#phone-second-step). */
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CallError } from '../../../core/contract/envelope.ts';
import { client } from '../../client/api.ts';
import { failureText, toastSuccess } from '../../client/failures.ts';
import { Dialog } from '../../components/dialog.tsx';
import type { HumanCheck } from '../../components/human-check/use-human-check.tsx';
import { PhoneCodeField } from '../../components/phone/phone-code-field.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './login.module.css';

interface SecondStepProps {
  readonly checkCode: string;
  readonly phone: string;
  readonly human: HumanCheck;
  readonly onDone: (token: string | undefined) => Promise<void>;
  readonly onCancel: () => void;
  /** The login is no longer open; called with the text that says so. */
  readonly onExpired: (text: string) => void;
}

export function SecondStep({
  checkCode,
  phone,
  human,
  onDone,
  onCancel,
  onExpired,
}: SecondStepProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const fail = (error: unknown, text: string) => {
    if (error instanceof CallError && error.code === 'check_code_invalid') onExpired(text);
    else setProblem(text);
  };
  const finish = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const { token } = await human.run((turnstile) =>
        client.public.login({ check_code: checkCode, code: code.trim(), ...turnstile }),
      );
      toastSuccess(t('slider.passed'));
      await onDone(token);
    },
    onError: (error) =>
      fail(
        error,
        error instanceof CallError && error.status > 0 ? failureText(error) : t('slider.failed'),
      ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '') setProblem(t('phone.code.missing'));
    else finish.mutate();
  };
  return (
    <Dialog
      opened
      onClose={onCancel}
      size={420}
      centered
      closeButtonProps={{ 'aria-label': t('common.close') }}
      title={t('login.step.title')}
      closeOnClickOutside={false}
    >
      <form noValidate onSubmit={submit}>
        <p className={classes.lead}>{t('login.step.text', { phone })}</p>
        <div className={classes.code}>
          <PhoneCodeField
            to={{ check_code: checkCode }}
            human={human}
            before={(send) => {
              setProblem(undefined);
              send();
            }}
            onFailure={fail}
            data-autofocus
            value={code}
            error={problem}
            onChange={(event) => {
              setCode(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
        </div>
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={finish.isPending}>
            {t('login.submit')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

/**
 * The secret for an authenticator app, as QR code and as text, until the app's first code has
 * proved that it has it.
 */
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, useState } from 'react';
import { client } from '../../../client/api.ts';
import { failureText, leaveWhenExpired } from '../../../client/failures.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './second-factor.module.css';

interface TotpDialogProps {
  readonly secret: string;
  readonly uri: string;
  readonly onClose: () => void;
  readonly onDone: (recoveryCodes: readonly string[]) => Promise<void>;
}

export function TotpDialog({ secret, uri, onClose, onDone }: TotpDialogProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const confirm = useMutation({
    meta: { quiet: true },
    mutationFn: () => client.secondFactor.confirmTotp({ code }),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
    onError: (error) => {
      if (!leaveWhenExpired(error)) setProblem(failureText(error));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '') setProblem(t('factor.code.missing'));
    else confirm.mutate();
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size={420}
      title={t('factor.totp')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      closeOnClickOutside={false}
    >
      <form className={classes.dialog} onSubmit={submit} noValidate>
        <p>{t('factor.totp.scan')}</p>
        {/* Black on white in both themes: scanners need it. */}
        <div className={classes.code}>
          <QRCodeSVG
            value={uri}
            size={184}
            level="M"
            title={t('factor.totp.qr')}
            bgColor="#ffffff"
            fgColor="#000000"
          />
        </div>
        <div className={classes.key}>
          <code>{secret.replace(/(.{4})(?!$)/g, '$1 ')}</code>
          <CopyButton text={secret} label={t('factor.totp.copy')} />
        </div>
        <TextInput
          label={t('factor.totp.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          value={code}
          error={problem}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" loading={confirm.isPending}>
          {t('factor.totp.confirm')}
        </Button>
      </form>
    </Dialog>
  );
}

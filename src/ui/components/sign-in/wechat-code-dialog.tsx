/**
 * The code of a WeChat account, which followers get by a message to it
 * (docs/rules/accounts.md#wechat).
 */
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { logoAddress } from '../../browser/shown-file.ts';
import { failureText, leaveWhenExpired } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import { Dialog } from '../dialog.tsx';
import classes from './sign-in.module.css';

interface WechatCodeDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly onCode: (code: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function WechatCodeDialog({ title, submit, onCode, onClose }: WechatCodeDialogProps) {
  const { t } = useTranslation();
  const image = logoAddress(useStatus()?.wechat_qrcode ?? '');
  const [code, setCode] = useState('');
  const send = useMutation({
    mutationFn: onCode,
    meta: { quiet: true },
    onError: (error) => void leaveWhenExpired(error),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') send.mutate(code.trim());
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size={400}
      title={title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form noValidate onSubmit={onSubmit}>
        {image !== undefined && (
          <img
            className={classes.qr}
            src={image}
            alt={t('identity.wechat.qr')}
            width={200}
            height={200}
            referrerPolicy="no-referrer"
          />
        )}
        <p className={classes.hint}>{t('identity.wechat.hint')}</p>
        <TextInput
          label={t('identity.wechat.code')}
          value={code}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            send.reset();
          }}
          error={send.isError ? failureText(send.error) : undefined}
          autoComplete="one-time-code"
          data-autofocus
        />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={send.isPending} disabled={code.trim() === ''}>
            {submit}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

/**
 * The code of a WeChat account, which followers get by a message to it
 * (docs/rules/accounts.md#wechat).
 */
import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { logoAddress } from '../../browser/shown-file.ts';
import { failureText, leaveWhenExpired } from '../../client/failures.ts';
import { useEscape } from '../../hooks/use-escape.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './sign-in.module.css';

interface WechatCodeDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly onCode: (code: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function WechatCodeDialog({ title, submit, onCode, onClose }: WechatCodeDialogProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLFormElement>(null);
  // A question may lie above it: each Escape closes one.
  useEscape(place, onClose);
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
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      size={400}
      title={title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form ref={place} noValidate onSubmit={onSubmit}>
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
    </Modal>
  );
}

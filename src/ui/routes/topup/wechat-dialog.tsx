/**
 * The code that WeChat scans; the order is looked up every 3 seconds until it is paid
 * (docs/rules/console.md#wallet).
 */
import { Button } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';
import { type ReactNode, useEffect, useState } from 'react';
import { toastSuccess } from '../../client/failures.ts';
import { Dialog } from '../../components/dialog.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOrderState } from '../../queries/use-order-state.ts';
import type { ScanOrder } from './use-pay.ts';
import classes from './wechat-dialog.module.css';
import { yuan } from './yuan.ts';

interface WechatDialogProps {
  readonly order: ScanOrder;
  /** Another order is being placed. */
  readonly busy: boolean;
  readonly onClose: () => void;
  /** Places the order once more. */
  readonly onAgain: () => void;
}

/** `1:59:58`, `4:05`. */
export function remainingText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (part: number) => String(part).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours > 0
    ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** Milliseconds until a time of this browser's clock, counted each second. */
function useRemaining(until: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, until - now);
}

export function WechatDialog({ order, busy, onClose, onAgain }: WechatDialogProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const remaining = useRemaining(order.expiresAt);
  const { state, failing } = useOrderState(order.tradeNo, () => {
    onClose();
    toastSuccess(t('topup.paid'));
  });
  const ended = () => {
    if (state === 'CLOSED') return t('topup.wechat.closed');
    if (state === 'REFUND') return t('topup.refunded');
    return remaining === 0 ? t('topup.wechat.expired') : undefined;
  };
  const end = ended();
  return (
    <Dialog
      opened
      onClose={onClose}
      size={400}
      title={t('topup.wechat.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={classes.body}>
        <p className={classes.money}>{yuan(order.money)}</p>
        <p className={classes.scan}>{t('topup.wechat.scan')}</p>
        <Code url={order.codeUrl} title={t('topup.wechat.qr', { order: order.tradeNo })}>
          {end !== undefined && (
            <div className={classes.end}>
              <p role="alert">{end}</p>
              <Button loading={busy} onClick={onAgain}>
                {t('topup.wechat.again')}
              </Button>
            </div>
          )}
        </Code>
        {end === undefined && (
          <>
            <p className={classes.waiting} role="timer">
              {failing
                ? t('topup.wechat.retrying')
                : t('topup.wechat.waiting', { time: remainingText(remaining) })}
            </p>
            {phone && <p className={classes.hint}>{t('topup.wechat.phone')}</p>}
            <p className={classes.hint}>{t('topup.wechat.hint')}</p>
          </>
        )}
        <code className={classes.order}>{order.tradeNo}</code>
      </div>
    </Dialog>
  );
}

/** Black on white in both themes: scanners need it. */
function Code({
  url,
  title,
  children,
}: {
  readonly url: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.code}>
      <QRCodeSVG
        value={url}
        size={208}
        level="M"
        title={title}
        bgColor="#ffffff"
        fgColor="#000000"
      />
      {children}
    </div>
  );
}

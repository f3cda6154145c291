/** Redeeming a code, and where codes are sold (docs/rules/payments.md#redeeming). */
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Ticket as TicketIcon } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { client } from '../../client/api.ts';
import { failureText, isUnreachable, toastProblem, toastSuccess } from '../../client/failures.ts';
import { openDialog } from '../../components/dialogs.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshWallet } from '../../queries/use-invalidate.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './panel.module.css';

/** Leads to the shop of the option TopUpLink, or says that there is none. */
function BuyCodes() {
  const { t } = useTranslation();
  const link = useStatus()?.top_up_link ?? '';
  return (
    <p className={classes.buy}>
      <span>{t('topup.redeem.noCode')}</span>
      {link === '' ? (
        <button type="button" onClick={() => toastProblem(t('topup.redeem.noLink'))}>
          {t('topup.redeem.get')}
        </button>
      ) : (
        <a href={link} target="_blank" rel="noreferrer">
          {t('topup.redeem.get')}
        </a>
      )}
    </p>
  );
}

export function RedeemBox() {
  const { t } = useTranslation();
  const money = useMoney();
  const refresh = useRefreshWallet();
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const redeem = useMutation({
    mutationFn: (code: string) => client.wallet.redeem({ key: code }),
    meta: { quiet: true },
    onSuccess: (quota, code) => {
      // The next code, typed meanwhile, stays.
      setKey((typed) => (typed.trim() === code ? '' : typed));
      toastSuccess(t('topup.redeem.success'));
      openDialog({
        title: t('topup.redeem.success'),
        role: 'dialog',
        size: 400,
        withCloseButton: false,
        content: (close) => (
          <>
            <p className={classes.redeemed}>
              {t('topup.redeem.success.text', { amount: money.total(quota).text })}
            </p>
            <Button fullWidth data-autofocus onClick={close}>
              {t('common.confirm')}
            </Button>
          </>
        ),
      });
    },
    onError: (error) =>
      setProblem(isUnreachable(error) ? t('topup.redeem.failed') : failureText(error)),
    onSettled: () => void refresh(), // not waited for: the next code can be entered at once
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = key.trim();
    setProblem(code === '' ? t('topup.redeem.missing') : undefined);
    if (code !== '') redeem.mutate(code);
  };
  return (
    <form className={classes.redeem} onSubmit={submit} noValidate>
      <div className={classes.redeemRow}>
        <TextInput
          className={classes.redeemField ?? ''}
          aria-label={t('topup.redeem.label')}
          placeholder={t('topup.redeem.placeholder')}
          leftSection={<TicketIcon size={16} strokeWidth={1.75} aria-hidden="true" />}
          value={key}
          autoComplete="off"
          spellCheck={false}
          error={problem}
          onChange={(event) => {
            setKey(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" variant="default" loading={redeem.isPending}>
          {t('topup.redeem.submit')}
        </Button>
      </div>
      <BuyCodes />
    </form>
  );
}

import { Button, NumberInput, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { QrCode, SquareArrowOutUpRight } from 'lucide-react';
import { type FormEvent, Suspense, useState } from 'react';
import { CallError } from '../../../core/contract/envelope.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import type {
  PaymentMethodEntry,
  PaymentMethodId,
} from '../../../core/vocabulary/payment-methods.ts';
import { client } from '../../client/api.ts';
import { failureText, toastFailure } from '../../client/failures.ts';
import { latePart } from '../../client/late-part.ts';
import { useUser } from '../../client/session.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import type { ServerStatus } from '../../queries/use-status.ts';
import { amountRules } from './amounts.ts';
import { MethodPicker } from './method-picker.tsx';
import classes from './panel.module.css';
import { SumTicket } from './sum-ticket.tsx';
import { usePay } from './use-pay.ts';

/** Milliseconds after the last key. */
const debounceMs = 300;

/**
 * The price of an amount with a discount code, by the server; requested again 300 ms after the last
 * change.
 */
function useSum(amount: number, code: string, enabled: boolean) {
  const user = useUser();
  const [input] = useDebouncedValue(`${amount} ${code.trim()}`, debounceMs);
  const current = `${amount} ${code.trim()}`;
  const query = useQuery({
    queryKey: queryKeys.topUp.sum(amount, code.trim(), user?.id),
    queryFn: () => client.topUp.amount({ amount, top_up_code: code.trim() }),
    // Options of the site may change the price.
    staleTime: 5000,
    placeholderData: keepPreviousData,
    enabled: enabled && input === current,
    retry: false,
  });
  const waits = query.isPlaceholderData || query.isFetching || input !== current;
  return {
    sum: query.error === null ? query.data : undefined,
    error: waits ? null : query.error,
    waits,
    /** Requests the sum again, and says why there still is none. */
    retry: async () => {
      const { error } = await query.refetch();
      if (error !== null) toastFailure(error);
    },
  };
}

// The code and its dialog load with the first order.
const WechatDialog = latePart(async () => ({
  default: (await import('./wechat-dialog.tsx')).WechatDialog,
}));

interface TopUpFormProps {
  readonly status: ServerStatus;
  readonly methods: readonly PaymentMethodEntry[];
  readonly group: string;
}

export function TopUpForm({ status, methods, group }: TopUpFormProps) {
  const { t } = useTranslation();
  const { display, quotaPerUnit, total } = useMoney();
  const rules = amountRules(status);
  const { min } = rules;
  const amountText = (amount: number) =>
    display.inCurrency ? total(amount * quotaPerUnit).text : formatCount(amount);
  const [typed, setTyped] = useState<number | string>(
    () => rules.picks.find((pick) => pick >= min) ?? min,
  );
  const [code, setCode] = useState('');
  const [chosen, setChosen] = useState<PaymentMethodId>();
  const method = methods.find(({ id }) => id === chosen) ?? methods[0];
  const amount = Number(typed);
  const isAmount = typed !== '' && Number.isSafeInteger(amount) && amount >= min;
  const problem = () => {
    if (typed === '') return t('topup.amount.missing');
    return Number.isSafeInteger(amount)
      ? t('topup.amount.tooSmall', { min: amountText(min) })
      : t('common.integer');
  };
  const { sum, error, waits, retry } = useSum(amount, code, isAmount);
  const codeIsWrong = error instanceof CallError && error.code === 'top_up_code_invalid';
  const { pay, busy, leaving, order, closeOrder } = usePay();

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isAmount || method === undefined) return;
    // Its cause may be over. The sum is shown before it is paid.
    if (error !== null) void retry();
    else pay({ method, amount, code: code.trim() });
  };
  return (
    <form onSubmit={submit} noValidate>
      <fieldset className={classes.picks} aria-label={t('topup.picks')}>
        {rules.picks.map((pick) => (
          <button
            key={pick}
            type="button"
            className={classes.pick}
            aria-pressed={pick === amount}
            onClick={() => setTyped(pick)}
          >
            {display.inCurrency
              ? total(pick * quotaPerUnit).text.replace(/\.00$/, '')
              : formatCount(pick)}
          </button>
        ))}
      </fieldset>
      <div className={classes.fields}>
        <NumberInput
          aria-label={t('topup.amount')}
          value={typed}
          onChange={setTyped}
          min={1}
          clampBehavior="blur"
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          maxLength={20}
          error={isAmount ? undefined : problem()}
          leftSection={display.inCurrency ? <span className={classes.affix}>$</span> : undefined}
          rightSection={
            <span className={classes.affix}>
              {t('topup.amount.min', { min: amountText(min).replace(/\.00$/, '') })}
            </span>
          }
          rightSectionWidth={display.inCurrency ? 88 : 140}
        />
        <TextInput
          aria-label={t('topup.code')}
          placeholder={t('topup.code.placeholder')}
          value={code}
          maxLength={64}
          autoComplete="off"
          onChange={(event) => setCode(event.currentTarget.value)}
          error={codeIsWrong ? failureText(error) : undefined}
        />
      </div>
      <MethodPicker methods={methods} value={method?.id} onChange={setChosen} />
      <SumTicket
        amount={isAmount ? amount : undefined}
        sum={isAmount ? sum : undefined}
        waits={waits}
        group={group}
      />
      {error !== null && isAmount && !codeIsWrong && (
        <p className={classes.problem} role="alert">
          {failureText(error)}
        </p>
      )}
      <Button
        type="submit"
        fullWidth
        size="md"
        loading={busy}
        leftSection={
          method?.id === 'wechatpay' ? <QrCode size={16} /> : <SquareArrowOutUpRight size={16} />
        }
      >
        {leaving ? t('topup.pay.leaving') : t(`topup.pay.${method?.id ?? 'alipay'}`)}
      </Button>
      <Suspense fallback={null}>
        {order !== undefined && (
          <WechatDialog
            key={order.tradeNo}
            order={order}
            busy={busy}
            onClose={closeOrder}
            onAgain={submit}
          />
        )}
      </Suspense>
    </form>
  );
}

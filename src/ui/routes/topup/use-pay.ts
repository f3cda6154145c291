import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PaymentMethodEntry } from '../../../core/vocabulary/payment-methods.ts';
import { client } from '../../client/api.ts';
import { toastProblem } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshWallet } from '../../queries/use-invalidate.ts';

/**
 * Sends the browser to Epay's payment page with the order, as a form (docs/rules/payments.md#epay).
 */
function handOver(
  url: string,
  fields: Readonly<Record<string, string>>,
  onBlocked: () => void,
): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = url;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  // The page's policy is older than the address: it was changed after the page had been loaded.
  const refused = (event: SecurityPolicyViolationEvent) => {
    if (event.effectiveDirective !== 'form-action') return;
    document.removeEventListener('securitypolicyviolation', refused);
    form.remove();
    onBlocked();
  };
  document.addEventListener('securitypolicyviolation', refused);
  document.body.append(form);
  form.submit();
}

export interface Purchase {
  readonly method: PaymentMethodEntry;
  readonly amount: number;
  /** '' for none. */
  readonly code: string;
}

/** An order of WeChat Pay that waits for its payer. */
export interface ScanOrder {
  readonly tradeNo: string;
  readonly codeUrl: string;
  /** Yuan. */
  readonly money: number;
  /** When the code expires, in ms of this browser's clock. */
  readonly expiresAt: number;
}

/** Places an order and leads the payer on: to the payment page, or to a code that WeChat scans. */
export function usePay() {
  const { t } = useTranslation();
  const refresh = useRefreshWallet();
  const [leaving, setLeaving] = useState(false);
  const [order, setOrder] = useState<ScanOrder>();
  // The browser brings this page back as it was left.
  useEffect(() => {
    const restore = () => setLeaving(false);
    window.addEventListener('pageshow', restore);
    return () => window.removeEventListener('pageshow', restore);
  }, []);
  const mutation = useMutation({
    mutationFn: async ({ method, amount, code }: Purchase) => {
      const input = { amount, top_up_code: code };
      if (method.provider === 'epay') {
        const { url, data } = await client.topUp.pay({ ...input, payment_method: method.id });
        setLeaving(true);
        handOver(url, data, () => {
          setLeaving(false);
          toastProblem(t('topup.pay.blocked'));
        });
        return;
      }
      const placed = await client.topUp.wechatPay(input);
      const expiresAt = Date.now() + placed.expires_in * 1000;
      setOrder({
        tradeNo: placed.trade_no,
        codeUrl: placed.code_url,
        money: placed.money,
        expiresAt,
      });
    },
    onSettled: refresh,
  });
  return {
    pay: mutation.mutate,
    busy: mutation.isPending || leaving,
    leaving,
    order,
    closeOrder: () => setOrder(undefined),
  };
}

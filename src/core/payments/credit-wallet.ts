import type { Ledger } from '../billing/ledger.ts';
import type { WriteLog } from '../logs/write-log.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import type { Credit } from './payment-method.ts';

/** False: the payment was credited before, or its row is already settled. */
export type CreditWallet = (credit: Credit) => Promise<boolean>;

/** The only place where a payment is credited: a posting with a unique reference and the change of its row, in one transaction. */
export function bindCreditWallet({ ledger, writeLog }: { ledger: Ledger; writeLog: WriteLog }): CreditWallet {
  return async ({ payer, kind, amount, reference, guard, log }) => {
    const row = writeLog.prepare(payer, logTypes.topUp, log.sentence, log.params);
    const { posted } = await ledger.post({ userId: payer.userId, kind, amount, reference, guard, log: row });
    return posted;
  };
}

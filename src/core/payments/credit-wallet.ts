import type { Ledger } from '../billing/ledger.ts';
import type { WriteLog } from '../logs/write-log.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import type { Credit } from './payment-method.ts';

/** False: this payment was credited before, or the row that it uses up is no longer open. */
export type CreditWallet = (credit: Credit) => Promise<boolean>;

/** The only way a payment reaches a wallet: one posting with a unique reference, together with the change of its row. */
export function bindCreditWallet({ ledger, writeLog }: { ledger: Ledger; writeLog: WriteLog }): CreditWallet {
  return async ({ payer, kind, amount, reference, guard, log }) => {
    const row = writeLog.prepare(payer, logTypes.topUp, log.sentence, log.params);
    const { posted } = await ledger.post({ userId: payer.userId, kind, amount, reference, guard, log: row });
    return posted;
  };
}

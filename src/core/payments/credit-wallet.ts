import type { Ledger } from '../billing/ledger.ts';
import type { Quota } from '../kernel/quota.ts';
import type { LogOwner, LogParams, LogSentence, WriteLog } from '../logs/write-log.ts';
import type { Guard } from '../storage/ledger/guards.ts';
import { logTypes } from '../vocabulary/log-types.ts';

/** A verified payment: whose wallet it credits, and with how much. */
export interface Credit {
  readonly payer: LogOwner;
  readonly kind: 'redemption' | 'top_up';
  readonly amount: Quota;
  /** Unique per kind: the same payment is credited once, however often it is reported. */
  readonly reference: string;
  /** The row that this payment settles: an open order or an unused code. */
  readonly guard: Guard;
  readonly log: { readonly sentence: LogSentence; readonly params: LogParams };
  /** For the log row, visible to administrators only. */
  readonly adminInfo?: object;
}

/** False: the payment was credited before, or its row is already settled. */
export type CreditWallet = (credit: Credit) => Promise<boolean>;

/**
 * The only place where a payment is credited: a posting with a unique reference and the change of
 * its row, in one transaction.
 */
export function bindCreditWallet({
  ledger,
  writeLog,
}: {
  ledger: Ledger;
  writeLog: WriteLog;
}): CreditWallet {
  return async ({ payer, kind, amount, reference, guard, log, adminInfo }) => {
    const row = writeLog.prepare(payer, logTypes.topUp, log.sentence, log.params, adminInfo);
    const { posted } = await ledger.post({
      userId: payer.userId,
      kind,
      amount,
      reference,
      guard,
      log: row,
    });
    return posted;
  };
}

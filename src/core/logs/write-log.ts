import type { NewLog } from '../billing/ledger.ts';
import { blankLog } from '../entities/log.ts';
import { type Language, translate } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { decimal } from '../kernel/decimal.ts';
import { formatCost } from '../pricing/format.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { LogRepository } from '../storage/storage.ts';

export interface LogOwner {
  readonly userId: number;
  readonly username: string;
}

/** Keys in i18n of the texts of log rows other than usage. */
export type LogSentence =
  | 'log.new_user'
  | 'log.invitee'
  | 'log.inviter'
  | 'log.quota_changed'
  | 'log.redeemed'
  | 'log.topped_up'
  | 'log.payment_refunded'
  | 'log.refund_reversed'
  | 'log.granted'
  | 'log.pruned'
  | 'log.partly_refunded'
  | 'log.refunded'
  | 'log.transferred';
/** Quota is formatted as the site displays it; other parameters are inserted unchanged. */
export type LogParams = Readonly<Record<string, number | string>>;

export interface WriteLog {
  /** Builds a row that the ledger writes together with a posting. */
  prepare(
    owner: LogOwner,
    type: number,
    sentence: LogSentence,
    params: LogParams,
    adminInfo?: object,
  ): NewLog;
  write(
    owner: LogOwner,
    type: number,
    sentence: LogSentence,
    params: LogParams,
    adminInfo?: object,
  ): Promise<void>;
}

/**
 * Log rows are stored as text in the site's language, and in each for its readers
 * (docs/rules/usage-logs.md#site-language-rows).
 */
export function createWriteLog(deps: {
  logs: LogRepository;
  options: Pick<OptionStore, 'get'>;
  siteLanguage: () => Language;
  clock: Clock;
}): WriteLog {
  const quotaText = (quota: number, language: Language): string => {
    const inCurrency = deps.options.get('DisplayInCurrencyEnabled');
    const quotaPerUnit = decimal(deps.options.get('QuotaPerUnit'));
    const { text } = formatCost(quota, { inCurrency, quotaPerUnit });
    return translate(language, inCurrency ? 'log.amount_currency' : 'log.amount_points', {
      amount: text,
    });
  };
  const quotaNames = new Set(['quota', 'from', 'to']);

  const textIn = (language: Language, sentence: LogSentence, params: LogParams): string =>
    translate(
      language,
      sentence,
      Object.fromEntries(
        Object.entries(params).map(([name, value]) => [
          name,
          quotaNames.has(name) && typeof value === 'number' ? quotaText(value, language) : value,
        ]),
      ),
    );

  const prepare: WriteLog['prepare'] = (owner, type, sentence, params, adminInfo) => ({
    ...blankLog,
    ...owner,
    createdAt: nowSeconds(deps.clock),
    type,
    content: textIn(deps.siteLanguage(), sentence, params),
    other: JSON.stringify({
      texts: { en: textIn('en', sentence, params), zh: textIn('zh', sentence, params) },
      ...(adminInfo === undefined ? {} : { admin_info: adminInfo }),
    }),
  });
  return {
    prepare,
    write: async (...row) => {
      await deps.logs.insert(prepare(...row) as Parameters<LogRepository['insert']>[0]);
    },
  };
}

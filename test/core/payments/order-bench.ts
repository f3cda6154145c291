/** Orders over a real ledger, one user and order for each test, and what the owner is told. */

import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createWriteLog } from '../../../src/core/logs/write-log.ts';
import type { Notice } from '../../../src/core/notices/notice.ts';
import { defaultOptions, type OptionKey } from '../../../src/core/options/index.ts';
import { bindCreditWallet } from '../../../src/core/payments/credit-wallet.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { createLastingApp, type TestApp } from '../../support/app.ts';

const defaults = defaultOptions();
let serial = 0;

export type OrderBench = Awaited<ReturnType<typeof openOrderBench>>;

export async function openOrderBench() {
  const site: TestApp = await createLastingApp();
  const { app, clock, addUser } = site;
  const toOwner: Notice[] = [];
  const toUsers: (readonly [number, Notice])[] = [];
  const errors: unknown[] = [];
  const { storage, ledger } = app;
  const siteLanguage = () => 'en' as const;
  const writeLog = createWriteLog({
    logs: storage.logs,
    siteLanguage,
    clock,
    options: { get: <K extends OptionKey>(key: K) => defaults[key] },
  });
  const orderOf = async (tradeNo: string): Promise<TopUp> => {
    const found = await storage.topUps.findByTradeNo(tradeNo);
    if (found === null) throw new Error(`there is no order ${tradeNo}`);
    return found;
  };
  return {
    app,
    clock,
    toOwner,
    toUsers,
    errors,
    orderOf,
    /** What the services are made with. */
    deps: {
      storage,
      ledger,
      writeLog,
      siteLanguage,
      clock,
      creditWallet: bindCreditWallet({ ledger, writeLog }),
      notices: {
        notify: (notice: Notice) => void toOwner.push(notice),
        notifyUser: (userId: number, notice: Notice) => void toUsers.push([userId, notice]),
      },
      logger: { ...app.logger, error: (...words: unknown[]) => void errors.push(words) },
    },
    /** An order of 7.30 yuan for 500,000 of quota, of a new user. */
    place: async (fields: Partial<TopUp> = {}): Promise<TopUp> => {
      serial += 1;
      for (const list of [toOwner, toUsers, errors]) list.length = 0;
      const tradeNo = `N${serial}`;
      await storage.topUps.insert({
        userId: await addUser(`payer${serial}`),
        tradeNo,
        status: 'pending',
        paymentMethod: 'zfb',
        goodsName: '',
        topUpCode: '',
        createTime: 1_795_000_000,
        amount: 1,
        moneyCents: 730,
        quota: toQuota(500_000),
        ...fields,
      });
      return orderOf(tradeNo);
    },
    /** By how much the balance differs from that of a new user. */
    balance: async ({ userId }: TopUp): Promise<number> => (await ledger.balance(userId)).quota,
    /** The newest rows of the usage log of the payer. */
    logsOf: async ({ userId }: TopUp) =>
      (await storage.logs.page({ userId }, { offset: 0, limit: 10 })).items,
    close: () => app.close(),
  };
}

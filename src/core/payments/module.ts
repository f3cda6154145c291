import type { Audit } from '../audit/audit-log.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { bindCreditWallet } from './credit-wallet.ts';
import { createRedemptionMethod } from './redemption-method.ts';
import { createRedemptionService, type RedemptionService } from './redemption-service.ts';

export interface PaymentsModuleDeps {
  readonly storage: Pick<Storage, 'redemptions'>;
  readonly ledger: Ledger;
  readonly options: Pick<OptionStore, 'get'>;
  readonly writeLog: WriteLog;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface PaymentServices {
  readonly redemptions: RedemptionService;
  /**
   * Adds the quota of a code to the actor's wallet and returns it. Throws AppError code_missing, code_unknown, code_used,
   * code_expired.
   */
  redeem(actor: Actor, key: string): Promise<number>;
}

export function createPaymentsModule(deps: PaymentsModuleDeps): ServiceModule<PaymentServices> {
  const creditWallet = bindCreditWallet(deps);
  const redemption = createRedemptionMethod(deps);
  return {
    services: {
      redemptions: createRedemptionService(deps),
      redeem: async (actor, key) => {
        const credit = await redemption.verifyNotice({ key, payer: { userId: actor.id, username: actor.username } });
        // Another request redeemed the code between the check and the posting.
        if (credit === null || !(await creditWallet(credit))) throw new AppError('code_used');
        return credit.amount;
      },
    },
  };
}

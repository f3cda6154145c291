/** The phone number of one's own account (docs/rules/accounts.md#phone-binding). */
import type { Audit } from '../../audit/audit-log.ts';
import type { Changes } from '../../cluster/changes.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { VerificationCodes } from '../verification-codes.ts';
import type { PhoneCodes } from './phone-codes.ts';

export interface PhoneBindingDeps {
  readonly storage: Storage;
  readonly options: Pick<OptionStore, 'get'>;
  readonly codes: VerificationCodes;
  readonly phoneCodes: PhoneCodes;
  readonly changes: Changes;
  readonly audit: Audit;
  readonly clock: Clock;
}

export interface PhoneBinding {
  /**
   * Stores the number that the code was sent to, in place of an earlier one. Throws AppError phone_invalid,
   * verification_code_invalid, phone_taken.
   */
  bind(actor: Actor, phone: string, code: string): Promise<void>;
  /** Throws AppError phone_not_bound, last_login_method. */
  unbind(actor: Actor): Promise<void>;
}

export function createPhoneBinding(deps: PhoneBindingDeps): PhoneBinding {
  const { storage, options, changes, audit } = deps;

  const store = async (actor: Actor, action: string, write: (inside: Storage) => Promise<void>): Promise<void> => {
    await storage.transaction(write);
    await changes.announce('user', actor.id);
    await audit.record(actor, action, actor.id);
  };

  /** Whether the account can be entered without its phone. */
  const hasOtherLogin = async (userId: number, passwordHash: string): Promise<boolean> =>
    (passwordHash !== '' && options.get('PasswordLoginEnabled')) ||
    (await storage.userIdentities.listByUsers([userId])).length > 0;

  return {
    bind: async (actor, text, code) => {
      const phone = deps.phoneCodes.readNumber(text);
      const { consume } = await deps.codes.check('phone', phone, code);
      await store(actor, 'user.phone_bind', async (inside) => {
        await consume(inside);
        try {
          await inside.users.update(actor.id, { phone, phoneVerifiedAt: nowSeconds(deps.clock) });
        } catch (error) {
          if (error instanceof AppError && error.code === 'conflict') throw new AppError('phone_taken', {}, { cause: error });
          throw error;
        }
      });
    },
    unbind: async (actor) => {
      const user = await storage.users.find(actor.id);
      if (user === null || user.phone === null || user.phone === '') throw new AppError('phone_not_bound');
      if (!(await hasOtherLogin(user.id, user.passwordHash.reveal()))) throw new AppError('last_login_method');
      await store(actor, 'user.phone_unbind', async (inside) => {
        await inside.users.update(actor.id, { phone: null, phoneVerifiedAt: 0 });
      });
    },
  };
}

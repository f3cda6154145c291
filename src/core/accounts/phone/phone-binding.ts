/** The phone number of one's own account (docs/rules/accounts.md#phone-binding). */
import type { Audit } from '../../audit/audit-log.ts';
import type { Changes } from '../../cluster/changes.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { RemoveMethod } from '../sign-in/remaining-method.ts';
import type { VerificationCodes } from '../verification-codes.ts';
import type { PhoneCodes } from './phone-codes.ts';

export interface PhoneBindingDeps {
  readonly storage: Storage;
  readonly codes: VerificationCodes;
  readonly phoneCodes: PhoneCodes;
  readonly removeMethod: RemoveMethod;
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
  /** Throws AppError phone_not_bound, last_sign_in_method. */
  unbind(actor: Actor): Promise<void>;
}

export function createPhoneBinding(deps: PhoneBindingDeps): PhoneBinding {
  const { storage, changes, audit } = deps;

  const report = async (actor: Actor, action: string): Promise<void> => {
    await changes.announce('user', actor.id);
    await audit.record(actor, action, actor.id);
  };

  return {
    bind: async (actor, text, code) => {
      const phone = deps.phoneCodes.readNumber(text);
      const { consume } = await deps.codes.check('phone', phone, code);
      await storage.transaction(async (inside) => {
        await consume(inside);
        try {
          await inside.users.update(actor.id, { phone, phoneVerifiedAt: nowSeconds(deps.clock) });
        } catch (error) {
          if (error instanceof AppError && error.code === 'conflict') throw new AppError('phone_taken', {}, { cause: error });
          throw error;
        }
      });
      await report(actor, 'user.phone_bind');
    },
    unbind: async (actor) => {
      await deps.removeMethod(actor.id, async (inside) => {
        const user = await inside.users.find(actor.id);
        if (user === null || user.phone === null || user.phone === '') throw new AppError('phone_not_bound');
        await inside.users.update(actor.id, { phone: null, phoneVerifiedAt: 0 });
      });
      await report(actor, 'user.phone_unbind');
    },
  };
}

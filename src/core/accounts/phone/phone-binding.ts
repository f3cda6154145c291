/** The phone number of one's own account (docs/rules/accounts.md#phone-binding). */
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AccountGate } from '../gate/account-gate.ts';
import { type Caller, originOf } from '../gate/caller.ts';
import type { RemoveMethod } from '../sign-in/remaining-method.ts';
import type { VerificationCodes } from '../verification-codes.ts';
import type { PhoneCodes } from './phone-codes.ts';

export interface PhoneBindingDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly codes: VerificationCodes;
  readonly phoneCodes: PhoneCodes;
  readonly removeMethod: RemoveMethod;
  readonly gate: AccountGate;
  readonly clock: Clock;
}

export interface PhoneBinding {
  /**
   * Stores the number that the code was sent to, in place of an earlier one. Throws AppError
   * phone_invalid, verification_code_invalid, phone_taken, and what {@link AccountGate.enter}
   * throws.
   */
  bind(caller: Caller, phone: string, code: string): Promise<void>;
  /**
   * Throws AppError phone_not_bound, last_sign_in_method, and what {@link AccountGate.enter}
   * throws.
   */
  unbind(caller: Caller): Promise<void>;
}

export function createPhoneBinding(deps: PhoneBindingDeps): PhoneBinding {
  const { gate } = deps;
  return {
    bind: async (caller, text, code) => {
      const { id } = caller.actor;
      const phone = deps.phoneCodes.readNumber(text);
      const passage = await gate.enter(caller, 'phone');
      const { consume } = await deps.codes.check('phone', phone, code, originOf(caller));
      const former = (await deps.storage.users.find(id))?.phone ?? '';
      const apply = async (inside: Storage): Promise<void> => {
        await consume(inside);
        try {
          await inside.users.update(id, { phone, phoneVerifiedAt: nowSeconds(deps.clock) });
        } catch (error) {
          if (error instanceof AppError && error.code === 'conflict')
            throw new AppError('phone_taken', {}, { cause: error });
          throw error;
        }
      };
      await gate.change(passage, {
        userId: id,
        action: 'user.phone_bind',
        undo: { phone: former },
        apply,
      });
    },
    unbind: async (caller) => {
      const { id } = caller.actor;
      const apply = (inside: Storage) =>
        deps.removeMethod(inside, id, async () => {
          const user = await inside.users.find(id);
          if (user === null || user.phone === null || user.phone === '')
            throw new AppError('phone_not_bound');
          await inside.users.update(id, { phone: null, phoneVerifiedAt: 0 });
        });
      const passage = await gate.enter(caller, 'phone');
      await gate.change(passage, { userId: id, action: 'user.phone_unbind', removed: true, apply });
    },
  };
}

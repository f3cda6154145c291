import { userFields } from '../../entities/user.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { Secret } from '../../kernel/secret.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Storage, User } from '../../storage/storage.ts';
import type { CreateAccount } from '../create-account.ts';
import { createWithGeneratedName } from '../generated-name.ts';
import type { PhoneCodes } from '../phone/phone-codes.ts';
import type { CheckedCode, VerificationCodes } from '../verification-codes.ts';
import type { SignInMethod } from './sign-in-method.ts';

export interface PhoneMethodDeps {
  readonly storage: Storage;
  readonly options: Pick<OptionStore, 'get'>;
  readonly codes: VerificationCodes;
  readonly phoneCodes: PhoneCodes;
  readonly createAccount: CreateAccount;
  /** Creates the first token of a new account (GENERATE_DEFAULT_TOKEN). */
  readonly createFirstToken: (userId: number, username: string) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Sign-in by a code sent to a phone; an unknown number registers
 * (docs/rules/accounts.md#phone-login). `complete` reads `phone`, `code`, `affCode`, `ip` and
 * `device` and throws AppError phone_invalid, verification_code_invalid, registration_disabled.
 */
export function createPhoneMethod(deps: PhoneMethodDeps): SignInMethod {
  const { storage, options } = deps;

  const register = async (
    phone: string,
    affCode: string,
    consume: CheckedCode['consume'],
  ): Promise<User | null> => {
    const { id, username } = await createWithGeneratedName(deps, 'phone_', {
      passwordHash: new Secret(''),
      role: userFields.role.default,
      group: userFields.group.default,
      nickname: `user${phone.slice(-4)}`,
      phone,
      phoneVerifiedAt: nowSeconds(deps.clock),
      affCode,
      alongside: consume,
    });
    await deps.createFirstToken(id, username);
    return storage.users.find(id);
  };

  return {
    id: 'phone',
    isEnabled: (values) => values.get('PhoneLoginEnabled'),
    isOpenTo: ({ phone }) => phone !== null && phone !== '',
    complete: async ({ phone: text = '', code = '', affCode = '', ip = '', device = '' }) => {
      const phone = deps.phoneCodes.readNumber(text);
      const known = await storage.users.findByPhone(phone);
      const { consume } = await deps.codes.check('phone', phone, code, {
        ip,
        device,
        userId: known?.id,
      });
      const isOpen = options.get('RegisterEnabled') && !options.get('SelfUseModeEnabled');
      if (known === null && isOpen) {
        const user = await register(phone, affCode, consume);
        if (user !== null) return { user };
      }
      await storage.transaction(consume);
      // Only the holder of the phone learns that there is no account.
      if (known === null) throw new AppError('registration_disabled');
      return { user: known };
    },
  };
}

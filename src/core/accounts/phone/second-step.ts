/** The phone check after a password (docs/rules/accounts.md#phone-second-step). */
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { parseObject } from '../../kernel/json.ts';
import { maskPhone, toE164 } from '../../kernel/phone-number.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Storage, User } from '../../storage/storage.ts';
import { passwordStamp } from '../sessions.ts';
import { phoneCodeMinutes, type VerificationCodes } from '../verification-codes.ts';
import type { PhoneCodes } from './phone-codes.ts';

export interface SecondStepDeps {
  readonly storage: Storage;
  readonly options: Pick<OptionStore, 'get'>;
  readonly codes: VerificationCodes;
  readonly phoneCodes: PhoneCodes;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * A login whose password was right. `ip`: the address it came from; the other step must come from
 * there too.
 */
export interface SecondStep {
  /**
   * Whether the user must prove to hold the phone of the account. Second factors of one's own take
   * its place.
   */
  isDue(user: User): Promise<boolean>;
  /** Returns what names this login in the next step, and the number with its middle hidden. */
  begin(user: User, ip: string): Promise<{ readonly checkCode: string; readonly phone: string }>;
  /**
   * Sends a code to the phone of the account. Throws AppError check_code_invalid and as
   * `PhoneCodes.send`.
   */
  sendCode(checkCode: string, ip: string): Promise<void>;
  /**
   * The user of a login that is now complete. `phone`: where given, it must be the number of the
   * account. Throws AppError check_code_invalid, verification_code_invalid.
   */
  complete(step: {
    readonly checkCode: string;
    readonly code: string;
    readonly phone: string;
    readonly ip: string;
    readonly device: string;
  }): Promise<User>;
}

const purpose = 'login-check';
const tokenBytes = 32;

export function createSecondStep(deps: SecondStepDeps): SecondStep {
  const { storage, options, codes, phoneCodes, clock, ids } = deps;
  const rows = storage.verificationCodes;
  const keyOf = (checkCode: string) => rows.hash(`${purpose}:${checkCode}`);
  const subjectOf = (user: User, phone: string) => `${user.id}:${phone}`;

  /** The user of an open login. The random text cannot be guessed, so tries need no count. */
  const find = async (
    checkCode: string,
    ip: string,
  ): Promise<{ readonly user: User; readonly phone: string }> => {
    const row = await rows.find(purpose, keyOf(checkCode));
    const payload =
      row === null || row.expiresAt <= nowSeconds(clock) ? undefined : parseObject(row.payload);
    const user =
      payload === undefined || payload['ip'] !== ip
        ? null
        : await storage.users.find(Number(payload['userId']));
    // A new number or password has not been part of this login.
    if (
      user?.phone == null ||
      user.phone !== payload?.['phone'] ||
      passwordStamp(user) !== payload['stamp']
    )
      throw new AppError('check_code_invalid');
    return { user, phone: user.phone };
  };

  return {
    isDue: async ({ id, phone }) =>
      options.get('PhoneSecondFactorEnabled') &&
      phone !== null &&
      phone !== '' &&
      !(await storage.secondFactors.has(id)),
    begin: async (user, ip) => {
      const phone = user.phone ?? '';
      const checkCode = ids.base64url(tokenBytes);
      const key = keyOf(checkCode);
      const payload = JSON.stringify({ userId: user.id, phone, ip, stamp: passwordStamp(user) });
      await rows.put({
        purpose,
        subjectHash: key,
        codeHash: key,
        expiresAt: nowSeconds(clock) + phoneCodeMinutes * 60,
        payload,
      });
      return { checkCode, phone: maskPhone(phone) };
    },
    sendCode: async (checkCode, ip) => {
      const { user, phone } = await find(checkCode, ip);
      await phoneCodes.send('second-step', subjectOf(user, phone), phone, ip);
    },
    complete: async ({ checkCode, code, phone: given, ip, device }) => {
      const { user, phone } = await find(checkCode, ip);
      if (given.trim() !== '' && toE164(given) !== phone)
        throw new AppError('verification_code_invalid');
      const checked = await codes.check('second-step', subjectOf(user, phone), code, {
        ip,
        device,
        userId: user.id,
      });
      await storage.transaction(async (inside) => {
        await checked.consume(inside);
        const key = keyOf(checkCode);
        if (!(await inside.verificationCodes.consume(purpose, key, key)))
          throw new AppError('check_code_invalid');
      });
      return user;
    },
  };
}

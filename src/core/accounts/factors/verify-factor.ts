import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AttemptOrigin, Guessed, LoginGuard } from '../sign-in/login-guard.ts';
import type { PasskeyProof, ProofPurpose } from './passkey-proof.ts';
import { recoveryHash } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';

export type FactorKind = 'totp' | 'passkey' | 'recovery';

/**
 * What a user shows: a code of the app or a recovery code, or the browser's answer to a request for
 * a passkey.
 */
export interface FactorProof {
  readonly code?: string | undefined;
  readonly passkey?: unknown;
}

export interface VerifyFactorDeps {
  readonly storage: Pick<Storage, 'secondFactors'>;
  readonly passkeys: PasskeyProof;
  readonly guard: LoginGuard;
  readonly clock: Clock;
}

/** A user's second factors, and proofs by them (docs/rules/accounts.md#second-factor). */
export interface FactorVerifier {
  /** Whether a sign-in needs a second step. */
  has(userId: number): Promise<boolean>;
  /** How the user can prove it now; empty without a second factor. */
  kindsOf(userId: number): Promise<readonly FactorKind[]>;
  /**
   * Each code and each answer counts once, also among concurrent callers; wrong ones count for
   * {@link LoginGuard}. Throws AppError second_factor_invalid, second_factor_used, passkey_invalid,
   * passkey_unavailable, account_locked.
   */
  verify(
    userId: number,
    proof: FactorProof,
    purpose: ProofPurpose,
    from: AttemptOrigin,
  ): Promise<FactorKind>;
}

/** A code of a user's second factor, as its guesses are counted. */
export const factorOf = (userId: number): Guessed => ({
  kind: 'factor',
  name: String(userId),
  userId,
});

export function createFactorVerifier({
  storage,
  passkeys,
  guard,
  clock,
}: VerifyFactorDeps): FactorVerifier {
  const { secondFactors } = storage;

  const checkTotp = async (userId: number, code: string): Promise<'totp'> => {
    const totp = await secondFactors.findTotp(userId);
    const step =
      totp === null || totp.confirmedAt === 0
        ? null
        : findTotpStep(totp.secret.reveal(), code, nowSeconds(clock));
    if (step === null) throw new AppError('second_factor_invalid');
    if (!(await secondFactors.takeTotpStep(userId, step))) throw new AppError('second_factor_used');
    return 'totp';
  };

  const checkRecovery = async (userId: number, code: string): Promise<'recovery'> => {
    if (!(await secondFactors.takeRecoveryCode(userId, recoveryHash(userId, code))))
      throw new AppError('second_factor_invalid');
    return 'recovery';
  };

  const check = async (
    userId: number,
    { code = '', passkey }: FactorProof,
    purpose: ProofPurpose,
  ): Promise<FactorKind> => {
    if (passkey !== undefined) {
      await passkeys.verify(purpose, passkey, userId);
      return 'passkey';
    }
    const plain = code.replace(/\s/g, '');
    return /^\d{6}$/.test(plain) ? checkTotp(userId, plain) : checkRecovery(userId, plain);
  };

  return {
    has: (userId) => secondFactors.has(userId),
    kindsOf: async (userId) => {
      const totp = await secondFactors.findTotp(userId);
      const kinds: FactorKind[] = [];
      if (totp !== null && totp.confirmedAt > 0) kinds.push('totp');
      if ((await passkeys.usable(userId)).length > 0) kinds.push('passkey');
      if (await secondFactors.has(userId)) kinds.push('recovery');
      return kinds;
    },
    verify: async (userId, proof, purpose, from) => {
      const attempt = await guard.begin(factorOf(userId), from);
      const kind = await check(userId, proof, purpose);
      await attempt.succeed();
      return kind;
    },
  };
}

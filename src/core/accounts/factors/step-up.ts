import type { Actor } from '../../kernel/actor.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { checkHashingRoom, verifyPassword } from '../password.ts';
import type { FoundSession, Sessions } from '../sessions.ts';
import { type LoginGuard, passwordOf } from '../sign-in/login-guard.ts';
import type { FactorKind, FactorProof, FactorVerifier } from './verify-factor.ts';

export type StepUpKind = FactorKind | 'password';
export interface StepUpProof extends FactorProof {
  readonly password?: string | undefined;
}

/** Confirmation before a way into the account changes (docs/rules/accounts.md#step-up). */
export interface StepUp {
  /**
   * How this user confirms: by a second factor; without one by the password; without that by
   * logging in again.
   */
  kindsOf(userId: number): Promise<readonly StepUpKind[]>;
  /**
   * Throws AppError session_required for callers without a session, which nothing can confirm, and
   * step_up_required, with the ways to confirm, if the session neither began nor was confirmed
   * within the last five minutes.
   */
  require(
    actor: Pick<Actor, 'id'>,
    session: Pick<FoundSession, 'confirmedAt'> | undefined,
  ): Promise<void>;
  /**
   * The account's password. Throws AppError original_password_wrong, account_locked, sign_in_busy.
   * `session`: of the caller.
   */
  checkPassword(
    actor: Pick<Actor, 'id' | 'ip'>,
    password: string,
    session: string | undefined,
  ): Promise<void>;
  /**
   * Confirms a session. Throws AppError second_factor_invalid, second_factor_used, passkey_invalid,
   * passkey_unavailable, original_password_wrong, account_locked, sign_in_busy.
   */
  confirm(actor: Pick<Actor, 'id' | 'ip'>, sessionHash: string, proof: StepUpProof): Promise<void>;
}

const validSeconds = 300;

export interface StepUpDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly factors: FactorVerifier;
  readonly sessions: Pick<Sessions, 'confirm'>;
  readonly guard: LoginGuard;
  readonly clock: Clock;
}

export function createStepUp({ storage, factors, sessions, guard, clock }: StepUpDeps): StepUp {
  const kindsOf = async (userId: number): Promise<readonly StepUpKind[]> => {
    const kinds = await factors.kindsOf(userId);
    if (kinds.length > 0) return kinds;
    return (await storage.users.find(userId))?.passwordHash.isEmpty === false ? ['password'] : [];
  };

  // A stranger who found a browser signed in must not be able to guess the password there.
  const checkPassword: StepUp['checkPassword'] = async ({ id, ip }, password, session) => {
    checkHashingRoom();
    const user = await storage.users.find(id);
    if (user === null) throw new AppError('not_found');
    const attempt = await guard.begin(passwordOf(user), { ip, session });
    if (!(await verifyPassword(password, user.passwordHash.reveal())).matches)
      throw new AppError('original_password_wrong');
    await attempt.succeed();
  };

  return {
    kindsOf,
    require: async (actor, session) => {
      if (session === undefined) throw new AppError('session_required');
      if (nowSeconds(clock) - session.confirmedAt <= validSeconds) return;
      throw new AppError('step_up_required', { methods: (await kindsOf(actor.id)).join(',') });
    },
    checkPassword,
    confirm: async (actor, sessionHash, { password, ...proof }) => {
      // Who has a second factor confirms by it: a password alone may have been seen by others.
      const from = { ip: actor.ip, session: sessionHash };
      if (await factors.has(actor.id))
        await factors.verify(actor.id, proof, 'passkey-step-up', from);
      else await checkPassword(actor, password ?? '', sessionHash);
      await sessions.confirm(sessionHash);
    },
  };
}

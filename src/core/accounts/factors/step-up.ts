import type { Actor } from '../../kernel/actor.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { verifyPassword } from '../password.ts';
import type { FoundSession, Sessions } from '../sessions.ts';
import { attemptKey, type LoginGuard } from '../sign-in/login-guard.ts';
import type { FactorKind, FactorProof, FactorVerifier } from './verify-factor.ts';

export type StepUpKind = FactorKind | 'password';
export interface StepUpProof extends FactorProof {
  readonly password?: string | undefined;
}

/** Confirmation before something sensitive (docs/rules/accounts.md#step-up). */
export interface StepUp {
  /** How this user confirms: by a second factor; without one by the password; without that there is nothing to ask for. */
  kindsOf(userId: number): Promise<readonly StepUpKind[]>;
  /**
   * Callers without a session (system access tokens, the operator) are not asked. Throws AppError step_up_required, with the ways to
   * confirm, if the session was not confirmed within the last five minutes.
   */
  require(actor: Pick<Actor, 'id'>, session: Pick<FoundSession, 'confirmedAt'> | undefined): Promise<void>;
  /**
   * Confirms a session. Throws AppError second_factor_invalid, second_factor_used, passkey_invalid, passkey_unavailable,
   * original_password_wrong, account_locked, sign_in_busy.
   */
  confirm(actor: Pick<Actor, 'id'>, sessionHash: string, proof: StepUpProof): Promise<void>;
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
  const passwordOf = async (id: number) => (await storage.users.find(id))?.passwordHash.reveal() ?? '';

  const kindsOf = async (userId: number): Promise<readonly StepUpKind[]> => {
    const kinds = await factors.kindsOf(userId);
    if (kinds.length > 0) return kinds;
    return (await passwordOf(userId)) === '' ? [] : ['password'];
  };

  const checkPassword = async (id: number, password: string): Promise<void> => {
    await guard.begin(attemptKey({ id }));
    if (!(await verifyPassword(password, await passwordOf(id))).matches) throw new AppError('original_password_wrong');
    await guard.succeed(attemptKey({ id }));
  };

  return {
    kindsOf,
    require: async (actor, session) => {
      if (session === undefined || nowSeconds(clock) - session.confirmedAt <= validSeconds) return;
      const kinds = await kindsOf(actor.id);
      if (kinds.length > 0) throw new AppError('step_up_required', { methods: kinds.join(',') });
    },
    confirm: async (actor, sessionHash, { password, ...proof }) => {
      // Who has a second factor confirms by it: a password alone may have been seen by others.
      if (await factors.has(actor.id)) await factors.verify(actor.id, proof, 'passkey-step-up');
      else await checkPassword(actor.id, password ?? '');
      await sessions.confirm(sessionHash);
    },
  };
}

import { AppError } from '../../kernel/errors.ts';
import type { Storage, User } from '../../storage/storage.ts';
import { userStatuses } from '../../vocabulary/statuses.ts';
import type { OneTimeTokens } from '../factors/one-time-tokens.ts';
import type { PasskeyProof } from '../factors/passkey-proof.ts';
import type { FactorProof, FactorVerifier } from '../factors/verify-factor.ts';
import { type ProvenUser, passwordStamp, type SessionOrigin, type Sessions } from '../sessions.ts';
import type { AttemptOrigin } from './login-guard.ts';

/**
 * The only place that makes sessions, so every way to sign in has the same second step
 * (docs/rules/accounts.md#second-step).
 */
export interface OpenSession {
  /**
   * Makes the session of a user who has proved a first factor, and returns its token. `user` is as
   * it was when that was proved: a password that was changed meanwhile has ended all sessions, so
   * there is none for it (AppError wrong_credentials). Throws AppError second_factor_required, with
   * the challenge of the second step, for a user who has a second factor.
   */
  open(user: ProvenUser, method: string, from: SessionOrigin): Promise<string>;
  /**
   * The request to the browser in the second step. Throws AppError sign_in_expired,
   * passkey_unavailable.
   */
  passkeyRequest(challenge: string, ip: string): ReturnType<PasskeyProof['request']>;
  /**
   * The second step. Throws AppError sign_in_expired, wrong_credentials, and what {@link
   * FactorVerifier.verify} throws.
   */
  complete(
    challenge: string,
    proof: FactorProof,
    from: SessionOrigin & AttemptOrigin,
  ): Promise<{ readonly user: User; readonly token: string }>;
}

/** Sign-ins that prove two factors by themselves: a passkey is a device, and verifies its owner. */
const strongMethods = new Set(['passkey']);

export interface OpenSessionDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly sessions: Pick<Sessions, 'start' | 'end'>;
  readonly factors: FactorVerifier;
  readonly passkeys: PasskeyProof;
  readonly tokens: OneTimeTokens;
}

export function createOpenSession({
  storage,
  sessions,
  factors,
  passkeys,
  tokens,
}: OpenSessionDeps): OpenSession {
  const findUser = async (
    challenge: string,
    ip: string,
  ): Promise<{ user: User; method: string }> => {
    const issued = await tokens.open('second-factor', challenge);
    const user =
      typeof issued?.['userId'] === 'number' ? await storage.users.find(issued['userId']) : null;
    if (
      issued === null ||
      user === null ||
      issued['ip'] !== ip ||
      issued['stamp'] !== passwordStamp(user)
    )
      throw new AppError('sign_in_expired');
    if (user.status !== userStatuses.active || user.deletedAt !== null)
      throw new AppError('wrong_credentials');
    return { user, method: String(issued['method']) };
  };

  /** Looked at once it is there: a change of the password ends those that it finds. */
  const start = async (user: ProvenUser, method: string, from: SessionOrigin): Promise<string> => {
    const token = await sessions.start(user.id, method, from);
    const now = await storage.users.find(user.id);
    if (now !== null && passwordStamp(now) === passwordStamp(user)) return token;
    await sessions.end(token);
    throw new AppError('wrong_credentials');
  };

  return {
    open: async (user, method, from) => {
      if (!strongMethods.has(method) && (await factors.has(user.id))) {
        const challenge = await tokens.issue('second-factor', {
          userId: user.id,
          method,
          ip: from.ip,
          stamp: passwordStamp(user),
        });
        throw new AppError('second_factor_required', {
          challenge,
          methods: (await factors.kindsOf(user.id)).join(','),
        });
      }
      return start(user, method, from);
    },
    passkeyRequest: async (challenge, ip) => {
      const { user } = await findUser(challenge, ip);
      return passkeys.request('passkey-second-factor', user.id);
    },
    complete: async (challenge, proof, from) => {
      const { user, method } = await findUser(challenge, from.ip);
      await factors.verify(user.id, proof, 'passkey-second-factor', {
        ip: from.ip,
        device: from.device,
      });
      if (!(await tokens.use('second-factor', challenge))) throw new AppError('sign_in_expired');
      return { user, token: await start(user, method, from) };
    },
  };
}

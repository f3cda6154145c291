import type { Audit } from '../../audit/audit-log.ts';
import { requireAllowed } from '../../entities/require-allowed.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { Secret } from '../../kernel/secret.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Passkey, Storage } from '../../storage/storage.ts';
import type { Sessions } from '../sessions.ts';
import type { LoginGuard } from '../sign-in/login-guard.ts';
import type { OneTimeTokens } from './one-time-tokens.ts';
import type { PasskeyProof } from './passkey-proof.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { findTotpStep, newTotpSecret, totpUri } from './totp.ts';
import { factorKey } from './verify-factor.ts';
import { readAnswer, registrationOptions, verifyRegistration } from './webauthn.ts';

export interface OwnFactorsDeps {
  readonly storage: Storage;
  readonly options: Pick<OptionStore, 'get'>;
  readonly passkeys: PasskeyProof;
  readonly tokens: OneTimeTokens;
  readonly guard: LoginGuard;
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface FactorOverview {
  /** When the authenticator app was set up; null: it is not. Unix seconds. */
  readonly totpSince: number | null;
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodesLeft: number;
}

/** How users set up and remove their second factors (docs/rules/accounts.md#second-factor). */
export interface OwnFactors {
  /** Whether sign-ins of this user have a second step. */
  has(userId: number): Promise<boolean>;
  overview(userId: number): Promise<FactorOverview>;
  /** A secret for an authenticator app; it counts once {@link confirmTotp} proved that the app has it. Throws AppError conflict. */
  beginTotp(actor: Actor): Promise<{ readonly secret: string; readonly uri: string }>;
  /** Returns recovery codes if this is the first factor. Throws AppError not_found, second_factor_invalid, account_locked. */
  confirmTotp(actor: Actor, code: string): Promise<readonly string[]>;
  removeTotp(actor: Actor): Promise<void>;
  /** Throws AppError passkey_unavailable, too_many_passkeys. */
  beginPasskey(actor: Actor): ReturnType<typeof registrationOptions>;
  /** Returns recovery codes if this is the first factor. Throws AppError passkey_invalid, name_too_long. */
  addPasskey(actor: Actor, response: unknown, name: string): Promise<readonly string[]>;
  renamePasskey(actor: Actor, id: number, name: string): Promise<void>;
  removePasskey(actor: Actor, id: number): Promise<void>;
  /** Replaces all recovery codes. Throws AppError not_found without a second factor. */
  renewRecoveryCodes(actor: Actor): Promise<readonly string[]>;
  /** Removes all second factors of a user who has lost them, and ends the user's sessions. */
  reset(actor: Actor, userId: number, isOperator: boolean): Promise<void>;
}

const maxPasskeys = 20;
const maxName = 50;

export function createOwnFactors(deps: OwnFactorsDeps): OwnFactors {
  const { storage, audit, tokens } = deps;
  const { secondFactors } = storage;
  const now = () => nowSeconds(deps.clock);

  const findUser = async (id: number) => {
    const user = await storage.users.find(id);
    if (user === null) throw new AppError('not_found');
    return user;
  };

  const putCodes = async (inside: Pick<Storage, 'secondFactors'>, userId: number): Promise<readonly string[]> => {
    const codes = newRecoveryCodes(deps.ids);
    await inside.secondFactors.putRecoveryCodes(
      userId,
      codes.map((code) => recoveryHash(userId, code)),
    );
    return codes;
  };

  /** Adds a factor; the first one comes with recovery codes. */
  const add = (userId: number, insert: (inside: Storage) => Promise<void>): Promise<readonly string[]> =>
    storage.transaction(async (inside) => {
      const isFirst = !(await inside.secondFactors.has(userId));
      await insert(inside);
      return isFirst ? putCodes(inside, userId) : [];
    });

  /** Removes a factor; recovery codes go with the last one. */
  const remove = (userId: number, take: (inside: Storage) => Promise<boolean>): Promise<void> =>
    storage.transaction(async (inside) => {
      if (!(await take(inside))) throw new AppError('not_found');
      if (!(await inside.secondFactors.has(userId))) await inside.secondFactors.putRecoveryCodes(userId, []);
    });

  const checkName = (name: string): string => {
    const trimmed = name.trim();
    if ([...trimmed].length > maxName) throw new AppError('name_too_long', { max: maxName });
    return trimmed;
  };

  return {
    has: (userId) => secondFactors.has(userId),
    overview: async (userId) => {
      const totp = await secondFactors.findTotp(userId);
      return {
        totpSince: totp === null || totp.confirmedAt === 0 ? null : totp.confirmedAt,
        passkeys: await secondFactors.passkeys(userId),
        recoveryCodesLeft: await secondFactors.countRecoveryCodes(userId),
      };
    },
    beginTotp: async (actor) => {
      const secret = newTotpSecret();
      if (!(await secondFactors.putTotp(actor.id, new Secret(secret), now()))) throw new AppError('conflict');
      return { secret, uri: totpUri(secret, deps.options.get('SystemName'), actor.username) };
    },
    confirmTotp: async (actor, code) => {
      const totp = await secondFactors.findTotp(actor.id);
      if (totp === null || totp.confirmedAt > 0) throw new AppError('not_found');
      await deps.guard.begin(factorKey(actor.id));
      const step = findTotpStep(totp.secret.reveal(), code.replace(/\s/g, ''), now());
      if (step === null) throw new AppError('second_factor_invalid');
      const codes = await add(actor.id, async (inside) => {
        if (!(await inside.secondFactors.confirmTotp(totp, step, now()))) throw new AppError('conflict');
      });
      await deps.guard.succeed(factorKey(actor.id));
      await audit.record(actor, 'user.second_factor_add', actor.id, { kind: 'totp' });
      return codes;
    },
    removeTotp: async (actor) => {
      await remove(actor.id, (inside) => inside.secondFactors.deleteTotp(actor.id));
      await audit.record(actor, 'user.second_factor_remove', actor.id, { kind: 'totp' });
    },
    beginPasskey: async (actor) => {
      const party = deps.passkeys.party();
      const known = await secondFactors.passkeys(actor.id);
      if (known.length >= maxPasskeys) throw new AppError('too_many_passkeys', { max: maxPasskeys });
      const challenge = await tokens.issue('passkey-register', { userId: actor.id });
      return registrationOptions(party, await findUser(actor.id), known, challenge);
    },
    addPasskey: async (actor, response, name) => {
      const party = deps.passkeys.party();
      const { challenge } = readAnswer(response);
      const issued = await tokens.open('passkey-register', challenge);
      if (issued?.['userId'] !== actor.id) throw new AppError('passkey_invalid');
      const passkey = await verifyRegistration(party, challenge, response);
      if (!(await tokens.use('passkey-register', challenge))) throw new AppError('passkey_invalid');
      const row = { ...passkey, userId: actor.id, rpId: party.id, name: checkName(name), createdAt: now() };
      const codes = await add(actor.id, async (inside) => void (await inside.secondFactors.insertPasskey(row)));
      await audit.record(actor, 'user.second_factor_add', actor.id, { kind: 'passkey', name: row.name });
      return codes;
    },
    renamePasskey: async (actor, id, name) => {
      if (!(await secondFactors.renamePasskey(actor.id, id, checkName(name)))) throw new AppError('not_found');
    },
    removePasskey: async (actor, id) => {
      await remove(actor.id, (inside) => inside.secondFactors.deletePasskey(actor.id, id));
      await audit.record(actor, 'user.second_factor_remove', actor.id, { kind: 'passkey', id });
    },
    renewRecoveryCodes: async (actor) => {
      if (!(await secondFactors.has(actor.id))) throw new AppError('not_found');
      const codes = await putCodes(storage, actor.id);
      await audit.record(actor, 'user.recovery_codes', actor.id);
      return codes;
    },
    reset: async (actor, userId, isOperator) => {
      const target = await findUser(userId);
      // One's own are removed one by one, with a confirmation. Who lost them asks somebody above, or the data folder.
      if (userId === actor.id && !isOperator) throw new AppError('not_on_yourself');
      requireAllowed('update', { actor, target });
      await storage.transaction(async (inside) => {
        await inside.secondFactors.deleteByUser(userId);
        await inside.sessions.deleteByUser(userId);
      });
      await deps.guard.succeed(factorKey(userId));
      await audit.record(actor, 'user.second_factor_reset', userId);
    },
  };
}

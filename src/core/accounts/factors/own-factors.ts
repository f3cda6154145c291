import { requireAllowed } from '../../entities/require-allowed.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { Secret } from '../../kernel/secret.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Passkey, Storage } from '../../storage/storage.ts';
import type { AccountGate } from '../gate/account-gate.ts';
import { type Caller, originOf } from '../gate/caller.ts';
import type { LoginGuard } from '../sign-in/login-guard.ts';
import { lockUser } from '../sign-in/remaining-method.ts';
import type { OneTimeTokens } from './one-time-tokens.ts';
import type { PasskeyProof } from './passkey-proof.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { findTotpStep, newTotpSecret, totpUri } from './totp.ts';
import { factorOf } from './verify-factor.ts';
import { readAnswer, registrationOptions, verifyRegistration } from './webauthn.ts';

export interface OwnFactorsDeps {
  readonly storage: Storage;
  readonly options: Pick<OptionStore, 'get'>;
  readonly passkeys: PasskeyProof;
  readonly tokens: OneTimeTokens;
  readonly guard: LoginGuard;
  readonly gate: AccountGate;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface FactorOverview {
  /** When the authenticator app was set up; null: it is not. Unix seconds. */
  readonly totpSince: number | null;
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodesLeft: number;
}

/**
 * How users set up and remove their second factors (docs/rules/accounts.md#second-factor). Whatever
 * changes something throws what {@link AccountGate.enter} throws, too.
 */
export interface OwnFactors {
  /** Whether sign-ins of this user have a second step. */
  has(userId: number): Promise<boolean>;
  overview(userId: number): Promise<FactorOverview>;
  /**
   * A secret for an authenticator app; it counts once {@link confirmTotp} proved that the app has
   * it. Throws AppError conflict.
   */
  beginTotp(caller: Caller): Promise<{ readonly secret: string; readonly uri: string }>;
  /**
   * Returns recovery codes if this is the first factor. Throws AppError not_found,
   * second_factor_invalid, account_locked.
   */
  confirmTotp(caller: Caller, code: string): Promise<readonly string[]>;
  removeTotp(caller: Caller): Promise<void>;
  /** Throws AppError passkey_unavailable, too_many_passkeys. */
  beginPasskey(caller: Caller): ReturnType<typeof registrationOptions>;
  /**
   * Returns recovery codes if this is the first factor. Throws AppError passkey_invalid,
   * name_too_long, too_many_passkeys.
   */
  addPasskey(caller: Caller, response: unknown, name: string): Promise<readonly string[]>;
  renamePasskey(userId: number, id: number, name: string): Promise<void>;
  removePasskey(caller: Caller, id: number): Promise<void>;
  /** Replaces all recovery codes. Throws AppError not_found without a second factor. */
  renewRecoveryCodes(caller: Caller): Promise<readonly string[]>;
  /** Removes all second factors of a user who has lost them, and ends the user's sessions. */
  reset(caller: Caller, userId: number): Promise<void>;
}

const maxPasskeys = 20;
const maxName = 50;

export function createOwnFactors(deps: OwnFactorsDeps): OwnFactors {
  const { storage, gate, tokens } = deps;
  const { secondFactors } = storage;
  const now = () => nowSeconds(deps.clock);

  const findUser = async (id: number) => {
    const user = await storage.users.find(id);
    if (user === null) throw new AppError('not_found');
    return user;
  };

  const putCodes = async (
    inside: Pick<Storage, 'secondFactors'>,
    userId: number,
  ): Promise<readonly string[]> => {
    const codes = newRecoveryCodes(deps.ids);
    await inside.secondFactors.putRecoveryCodes(
      userId,
      codes.map((code) => recoveryHash(userId, code)),
    );
    return codes;
  };

  /** Adds a factor; the first one comes with recovery codes. */
  const add =
    (userId: number, insert: (inside: Storage) => Promise<void>) => async (inside: Storage) => {
      const isFirst = !(await inside.secondFactors.has(userId));
      await insert(inside);
      return isFirst ? putCodes(inside, userId) : [];
    };

  /** Removes a factor; recovery codes go with the last one. */
  const remove =
    (userId: number, take: (inside: Storage) => Promise<boolean>) => async (inside: Storage) => {
      if (!(await take(inside))) throw new AppError('not_found');
      if (!(await inside.secondFactors.has(userId)))
        await inside.secondFactors.putRecoveryCodes(userId, []);
    };

  const requireRoom = (known: readonly Passkey[]): void => {
    if (known.length >= maxPasskeys) throw new AppError('too_many_passkeys', { max: maxPasskeys });
  };

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
    beginTotp: async (caller) => {
      const { id, username } = caller.actor;
      await gate.enter(caller, 'totp');
      const secret = newTotpSecret();
      if (!(await secondFactors.putTotp(id, new Secret(secret), now())))
        throw new AppError('conflict');
      return { secret, uri: totpUri(secret, deps.options.get('SystemName'), username) };
    },
    confirmTotp: async (caller, code) => {
      const { id } = caller.actor;
      const passage = await gate.enter(caller, 'totp');
      const totp = await secondFactors.findTotp(id);
      if (totp === null || totp.confirmedAt > 0) throw new AppError('not_found');
      const attempt = await deps.guard.begin(factorOf(id), originOf(caller));
      const step = findTotpStep(totp.secret.reveal(), code.replace(/\s/g, ''), now());
      if (step === null) throw new AppError('second_factor_invalid');
      const apply = add(id, async (inside) => {
        if (!(await inside.secondFactors.confirmTotp(totp, step, now())))
          throw new AppError('conflict');
      });
      const codes = await gate.change(passage, { userId: id, ...added('totp'), apply });
      await attempt.succeed();
      return codes;
    },
    removeTotp: async (caller) => {
      const { id } = caller.actor;
      const passage = await gate.enter(caller, 'totp');
      const apply = remove(id, (inside) => inside.secondFactors.deleteTotp(id));
      await gate.change(passage, { userId: id, ...removed('totp'), apply });
    },
    beginPasskey: async (caller) => {
      const { id } = caller.actor;
      await gate.enter(caller, 'passkey');
      const party = deps.passkeys.party();
      const known = await secondFactors.passkeys(id);
      requireRoom(known);
      const challenge = await tokens.issue('passkey-register', { userId: id });
      return registrationOptions(party, await findUser(id), known, challenge);
    },
    addPasskey: async (caller, response, name) => {
      const { id } = caller.actor;
      const passage = await gate.enter(caller, 'passkey');
      const party = deps.passkeys.party();
      const shown = checkName(name);
      const { challenge } = readAnswer(response);
      const issued = await tokens.open('passkey-register', challenge);
      if (issued?.['userId'] !== id) throw new AppError('passkey_invalid');
      const passkey = await verifyRegistration(party, challenge, response);
      if (!(await tokens.use('passkey-register', challenge))) throw new AppError('passkey_invalid');
      const row = {
        ...passkey,
        userId: id,
        rpId: party.id,
        name: shown,
        createdAt: now(),
      };
      const apply = add(id, async (inside) => {
        // Several may have been begun while there was room.
        await lockUser(inside, id);
        requireRoom(await inside.secondFactors.passkeys(id));
        await inside.secondFactors.insertPasskey(row);
      });
      const undo = { credentialId: row.credentialId };
      return gate.change(passage, {
        userId: id,
        ...added('passkey', { name: row.name }),
        undo,
        apply,
      });
    },
    renamePasskey: async (userId, id, name) => {
      if (!(await secondFactors.renamePasskey(userId, id, checkName(name))))
        throw new AppError('not_found');
    },
    removePasskey: async (caller, passkey) => {
      const { id } = caller.actor;
      const passage = await gate.enter(caller, 'passkey');
      const apply = remove(id, (inside) => inside.secondFactors.deletePasskey(id, passkey));
      await gate.change(passage, { userId: id, ...removed('passkey', { id: passkey }), apply });
    },
    renewRecoveryCodes: async (caller) => {
      const { id } = caller.actor;
      const passage = await gate.enter(caller, 'recovery_codes');
      const apply = async (inside: Storage) => {
        if (!(await inside.secondFactors.has(id))) throw new AppError('not_found');
        return putCodes(inside, id);
      };
      return gate.change(passage, { userId: id, action: 'user.recovery_codes', apply });
    },
    reset: async (caller, userId) => {
      const { actor } = caller;
      const target = await findUser(userId);
      // One's own are removed one by one. Who lost them asks somebody above, or the data folder.
      if (userId === actor.id && caller.proof !== 'operator') throw new AppError('not_on_yourself');
      requireAllowed('update', { actor, target });
      const passage = await gate.enter(caller, 'factors');
      const apply = (inside: Storage) => inside.secondFactors.deleteByUser(userId);
      await gate.change(passage, {
        userId,
        action: 'user.second_factor_reset',
        removed: true,
        apply,
      });
      await deps.guard.forget(factorOf(userId));
    },
  };
}

const added = (kind: string, detail = {}) =>
  ({ action: 'user.second_factor_add', detail: { kind, ...detail } }) as const;
const removed = (kind: string, detail = {}) =>
  ({ action: 'user.second_factor_remove', detail: { kind, ...detail }, removed: true }) as const;

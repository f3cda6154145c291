import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Passkey, Storage } from '../../storage/storage.ts';
import type { OneTimeTokens, TokenPurpose } from './one-time-tokens.ts';
import {
  findRelyingParty,
  isHandleOf,
  type RelyingParty,
  readAnswer,
  requestOptions,
  verifyAssertion,
} from './webauthn.ts';

export type ProofPurpose = Exclude<TokenPurpose, 'second-factor' | 'passkey-register'>;

export interface PasskeyProofDeps {
  readonly storage: Pick<Storage, 'secondFactors'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly tokens: OneTimeTokens;
  readonly clock: Clock;
}

/** Proofs by passkey (docs/rules/accounts.md#passkeys). */
export interface PasskeyProof {
  findParty(): RelyingParty | null;
  /** Throws AppError passkey_unavailable. */
  party(): RelyingParty;
  /** The passkeys of a user that work at the site's present address. */
  usable(userId: number): Promise<readonly Passkey[]>;
  /**
   * The request to the browser. Without a user any passkey of the site may answer. Throws AppError
   * passkey_unavailable.
   */
  request(purpose: ProofPurpose, userId?: number): ReturnType<typeof requestOptions>;
  /**
   * Verifies the browser's answer to a request of this purpose, and of this user if one is given.
   * Each request is answered once. Throws AppError passkey_unavailable, passkey_invalid.
   */
  verify(purpose: ProofPurpose, response: unknown, userId?: number): Promise<Passkey>;
}

export function createPasskeyProof({
  storage,
  options,
  tokens,
  clock,
}: PasskeyProofDeps): PasskeyProof {
  const { secondFactors } = storage;
  const findParty = () => findRelyingParty(options);
  const party = (): RelyingParty => {
    const found = findParty();
    if (found === null) throw new AppError('passkey_unavailable');
    return found;
  };
  const usable = async (userId: number) => {
    const id = findParty()?.id;
    return id === undefined
      ? []
      : (await secondFactors.passkeys(userId)).filter((passkey) => passkey.rpId === id);
  };
  return {
    findParty,
    party,
    usable,
    request: async (purpose, userId) => {
      const site = party();
      const passkeys = userId === undefined ? [] : await usable(userId);
      if (userId !== undefined && passkeys.length === 0) throw new AppError('passkey_unavailable');
      return requestOptions(site, await tokens.issue(purpose, { userId }), passkeys);
    },
    verify: async (purpose, response, userId) => {
      const site = party();
      const { credentialId, challenge, userHandle } = readAnswer(response);
      const issued = await tokens.open(purpose, challenge);
      const passkey = issued === null ? null : await secondFactors.findPasskey(credentialId);
      if (passkey === null || issued?.['userId'] !== userId) throw new AppError('passkey_invalid');
      if (userId !== undefined && passkey.userId !== userId) throw new AppError('passkey_invalid');
      if (!isHandleOf(passkey.userId, userHandle, userId === undefined))
        throw new AppError('passkey_invalid');
      const counter = await verifyAssertion(
        site,
        challenge,
        response,
        passkey,
        userId === undefined,
      );
      // Exactly one of several equal answers comes through, and one that was overtaken by a later
      // one does not.
      const isFirst =
        (await tokens.use(purpose, challenge)) &&
        (await secondFactors.notePasskeyUse(passkey, counter, nowSeconds(clock)));
      if (!isFirst) throw new AppError('passkey_invalid');
      return passkey;
    },
  };
}

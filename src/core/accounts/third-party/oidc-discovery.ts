/** OpenID Connect Discovery 1.0: the addresses and keys of a provider. */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { type ProviderClient, textOf } from './provider-client.ts';

export interface OidcDocument {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint: string;
  readonly jwks_uri: string;
}

export interface OidcDiscovery {
  /**
   * The document at an address. Throws AppError provider_failed, and invalid_parameter for an
   * address that is not http(s).
   */
  read(wellKnown: string): Promise<OidcDocument>;
  /** The same from memory, where it was read in the last hour. */
  known(wellKnown: string): Promise<OidcDocument>;
  /**
   * Finds the key of an id_token; the keys are read again when one is unknown, because providers
   * replace them, and after an hour, because they withdraw them.
   */
  keys(jwksUri: string): JWTVerifyGetKey;
  /**
   * A signature does not fit: the provider may have replaced a key without another name. True: the
   * keys are read again when they are needed next. False: they were read just now.
   */
  forgetKeys(jwksUri: string): boolean;
}

const label = 'OIDC';
/** Of the document and of the keys. */
const keptMs = 3_600_000;
/** Keys are read again at most this often, because anybody can make up the name of a key. */
const keysMs = 30_000;

interface Kept<T> {
  readonly value: T;
  readonly at: number;
}

export function createOidcDiscovery({
  client,
  clock,
}: {
  client: ProviderClient;
  clock: Clock;
}): OidcDiscovery {
  // One provider at a time is configured; what was kept of another one is dropped with it.
  let document: (Kept<OidcDocument> & { readonly address: string }) | undefined;
  let keySet: (Kept<JWTVerifyGetKey> & { readonly address: string }) | undefined;
  const get = (url: string) => client.read(label, { method: 'GET', url, headers: {} });

  const read = async (wellKnown: string): Promise<OidcDocument> => {
    if (!/^https?:\/\//i.test(wellKnown) || !URL.canParse(wellKnown))
      throw new AppError('invalid_parameter', { field: 'well_known', reason: 'rule.url' });
    const reply = await get(wellKnown);
    const found = {
      issuer: textOf(reply['issuer']),
      authorization_endpoint: textOf(reply['authorization_endpoint']),
      token_endpoint: textOf(reply['token_endpoint']),
      userinfo_endpoint: textOf(reply['userinfo_endpoint']),
      jwks_uri: textOf(reply['jwks_uri']),
    };
    if (found.authorization_endpoint === '' || found.token_endpoint === '')
      throw new AppError('provider_failed', { provider: label });
    return found;
  };

  const loadKeys = async (address: string): Promise<JWTVerifyGetKey> => {
    const reply = await get(address);
    const value = createLocalJWKSet(reply as unknown as JSONWebKeySet);
    keySet = { address, value, at: clock.now() };
    return value;
  };

  const keptKeys = (address: string) =>
    keySet?.address === address && clock.now() - keySet.at < keptMs ? keySet : undefined;

  return {
    read,
    forgetKeys: (address) => {
      const kept = keptKeys(address);
      if (kept !== undefined && clock.now() - kept.at < keysMs) return false;
      keySet = undefined;
      return true;
    },
    known: async (address) => {
      if (document?.address === address && clock.now() - document.at < keptMs)
        return document.value;
      const value = await read(address);
      document = { address, value, at: clock.now() };
      return value;
    },
    keys: (address) => async (header, token) => {
      const kept = keptKeys(address);
      try {
        return await (kept?.value ?? (await loadKeys(address)))(header, token);
      } catch (error) {
        const isUnknown = error instanceof errors.JWKSNoMatchingKey;
        if (!isUnknown || kept === undefined || clock.now() - kept.at < keysMs) throw error;
        return (await loadKeys(address))(header, token);
      }
    },
  };
}

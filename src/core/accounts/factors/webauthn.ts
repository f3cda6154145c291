/**
 * WebAuthn (W3C Web Authentication Level 3) over `@simplewebauthn/server`, which is loaded when it
 * is first needed.
 */
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { AppError } from '../../kernel/errors.ts';
import { isObject, parseJson } from '../../kernel/json.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Passkey, User } from '../../storage/storage.ts';

/** The site that passkeys are made for: the host of the option ServerAddress. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

/**
 * Null where browsers make no passkeys: without an address, at an IP address, and over http except
 * on this machine.
 */
export function findRelyingParty(options: Pick<OptionStore, 'get'>): RelyingParty | null {
  const address = options.get('ServerAddress');
  if (!URL.canParse(address)) return null;
  const { hostname, origin, protocol } = new URL(address);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname) !== 0 || hostname.startsWith('[') || (protocol !== 'https:' && !isLocal))
    return null;
  return { id: hostname, origin, name: options.get('SystemName') };
}

const load = () => import('@simplewebauthn/server');
/** The library takes a text as UTF-8; the challenge is the token itself. */
const challengeBytes = (token: string) => new Uint8Array(Buffer.from(token, 'base64url'));
type Transports = NonNullable<RegistrationResponseJSON['response']['transports']>;
const transportsOf = ({ transports }: Passkey) =>
  transports.split(',').filter(Boolean) as Transports;

export async function registrationOptions(
  party: RelyingParty,
  user: User,
  known: readonly Passkey[],
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: user.username,
    userDisplayName: user.displayName || user.username,
    userID: new Uint8Array(Buffer.from(handleOf(user.id))),
    challenge: challengeBytes(challenge),
    attestationType: 'none',
    excludeCredentials: known.map((passkey) => ({
      id: passkey.credentialId,
      transports: transportsOf(passkey),
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/**
 * `passkeys`: those that may answer; none: any that the device keeps for this site, whose owner
 * must then be verified.
 */
export async function requestOptions(
  party: RelyingParty,
  challenge: string,
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: challengeBytes(challenge),
    allowCredentials: passkeys.map((passkey) => ({
      id: passkey.credentialId,
      transports: transportsOf(passkey),
    })),
    userVerification: passkeys.length === 0 ? 'required' : 'preferred',
  });
}

/** Throws AppError passkey_invalid. */
export async function verifyRegistration(
  party: RelyingParty,
  challenge: string,
  response: unknown,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>> {
  const { verifyRegistrationResponse } = await load();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
    });
    if (!verified || registrationInfo === undefined) throw new AppError('passkey_invalid');
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: (credential.transports ?? [])
        .filter((name) => /^[a-z-]{1,20}$/.test(name))
        .join(','),
      backedUp: credentialBackedUp,
    };
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('passkey_invalid', {}, { cause });
  }
}

/**
 * Returns the new signature counter. Throws AppError passkey_invalid, also for a counter that went
 * backwards.
 */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: string,
  response: unknown,
  passkey: Passkey,
  requireUserVerification: boolean,
): Promise<number> {
  const { verifyAuthenticationResponse } = await load();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: transportsOf(passkey),
      },
      requireUserVerification,
    });
    if (!verified) throw new AppError('passkey_invalid');
    return authenticationInfo.newCounter;
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('passkey_invalid', {}, { cause });
  }
}

/** Under which authenticators keep the passkeys of a user. */
const handleOf = (userId: number): string => `user:${userId}`;

/** What a browser's answer names; not verified yet. */
export interface NamedInAnswer {
  readonly credentialId: string;
  readonly challenge: string;
  /**
   * The user whose passkey the authenticator says it is, base64url; undefined where it does not
   * say.
   */
  readonly userHandle: string | undefined;
}

/**
 * Whether the handle is that of a user (Web Authentication Level 3, section 7.2, step 6). Passkeys
 * imported from New API have the bare id. `isRequired`: the user was not known before, so that the
 * answer has to say who it is.
 */
export function isHandleOf(
  userId: number,
  userHandle: string | undefined,
  isRequired: boolean,
): boolean {
  if (userHandle === undefined) return !isRequired;
  return [handleOf(userId), String(userId)].includes(
    Buffer.from(userHandle, 'base64url').toString(),
  );
}

/** Throws AppError passkey_invalid. */
export function readAnswer(response: unknown): NamedInAnswer {
  const inner = isObject(response) ? response['response'] : undefined;
  const clientData = isObject(inner) ? inner['clientDataJSON'] : undefined;
  const credentialId = isObject(response) ? response['id'] : undefined;
  const parsed =
    typeof clientData === 'string'
      ? parseJson(Buffer.from(clientData, 'base64url').toString())
      : undefined;
  const challenge = isObject(parsed) ? parsed['challenge'] : undefined;
  const userHandle = (isObject(inner) ? inner['userHandle'] : undefined) ?? undefined;
  if (typeof credentialId !== 'string' || typeof challenge !== 'string')
    throw new AppError('passkey_invalid');
  if (userHandle !== undefined && typeof userHandle !== 'string')
    throw new AppError('passkey_invalid');
  return { credentialId, challenge, userHandle: userHandle === '' ? undefined : userHandle };
}

/** Checks of an id_token (OpenID Connect Core 1.0, section 3.1.3.7). */
import { decodeJwt, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { AppError } from '../../kernel/errors.ts';

export interface IdTokenRules {
  readonly audience: string;
  /** '': the browser was sent without one. */
  readonly nonce: string;
  /** Milliseconds. */
  readonly now: number;
  /**
   * Absent where the provider's document is not known. The signature is then not checked: the token
   * came over the connection to the token endpoint (section 3.1.3.7, item 6).
   */
  readonly signed?: { readonly issuer: string; readonly keys: JWTVerifyGetKey };
}

/** Asymmetric ones: the keys of a provider's document are public. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const leewaySeconds = 60;

/** Returns the subject. Throws AppError id_token_invalid; its cause says what is wrong. */
export async function checkIdToken(token: string, rules: IdTokenRules): Promise<string> {
  try {
    const claims = await readClaims(token, rules);
    return checkClaims(claims, rules);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('id_token_invalid', {}, { cause: error });
  }
}

async function readClaims(
  token: string,
  { signed, audience, now }: IdTokenRules,
): Promise<JWTPayload> {
  if (signed === undefined) return decodeJwt(token);
  const { payload } = await jwtVerify(token, signed.keys, {
    issuer: signed.issuer,
    audience,
    algorithms,
    clockTolerance: leewaySeconds,
    currentDate: new Date(now),
  });
  return payload;
}

function checkClaims(claims: JWTPayload, { audience, nonce, now }: IdTokenRules): string {
  const { sub = '', aud = [], exp = 0 } = claims;
  const audiences = [aud].flat();
  const party = claims['azp'];
  const isForUs =
    audiences.includes(audience) &&
    (party === undefined ? audiences.length === 1 : party === audience);
  if (!isForUs) throw new Error('the id_token is for another client');
  if (exp + leewaySeconds <= now / 1000) throw new Error('the id_token has expired');
  if (nonce !== '' && claims['nonce'] !== nonce)
    throw new Error('the nonce of the id_token is not the one that was sent');
  if (sub === '') throw new Error('the id_token names nobody');
  return sub;
}

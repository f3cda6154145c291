/** What of an id_token is checked, with and without the keys of its provider. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  checkIdToken,
  type IdTokenRules,
} from '../../../../src/core/accounts/third-party/id-token.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';

const now = 1_800_000_000;
const rules: IdTokenRules = { audience: 'us', nonce: 'n1', now: now * 1000 };
const issuer = 'https://id.example';
const claims: JWTPayload = { iss: issuer, sub: 'ann', aud: 'us', exp: now + 10, nonce: 'n1' };
const { publicKey, privateKey } = await generateKeyPair('ES256');
const signed = { ...rules, signed: { issuer, keys: async () => publicKey } };

const sign = (
  payload: JWTPayload,
  key: Parameters<SignJWT['sign']>[0] = privateKey,
  alg = 'ES256',
) => new SignJWT(payload).setProtectedHeader({ alg }).sign(key);
const without = (name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
/** What is wrong with a token: the text of the error's cause. */
async function refusalOf(token: string, by: IdTokenRules): Promise<unknown> {
  try {
    return await checkIdToken(token, by);
  } catch (error) {
    expect(error).toMatchObject({ code: 'id_token_invalid' });
    return (error as Error).cause instanceof Error ? String((error as Error).cause) : 'no cause';
  }
}
const forAnother = 'Error: the id_token is for another client';

describe('from the token endpoint, without keys', () => {
  const check = (payload: JWTPayload, by = rules) =>
    refusalOf(new UnsecuredJWT(payload).encode(), by);
  test.each<[string, JWTPayload]>([
    ['as it should be', claims],
    ['with an audience of one', { ...claims, aud: ['us'] }],
    ['for several, and us as the party', { ...claims, aud: ['us', 'them'], azp: 'us' }],
    ['for us, and us as the party', { ...claims, azp: 'us' }],
    ['within a minute after its end', { ...claims, exp: now - 59 }],
    ['of a provider that is not known', { ...claims, iss: 'https://other.example' }],
  ])('%s', async (_, payload) => {
    expect(await check(payload)).toBe('ann');
  });
  test.each<[string, JWTPayload, string]>([
    ['for another', { ...claims, aud: 'them' }, forAnother],
    ['for nobody', without('aud'), forAnother],
    ['for several without a party', { ...claims, aud: ['us', 'them'] }, forAnother],
    ['of another party', { ...claims, azp: 'them' }, forAnother],
    ['for another by us', { ...claims, aud: 'them', azp: 'us' }, forAnother],
    ['a minute after its end', { ...claims, exp: now - 60 }, 'Error: the id_token has expired'],
    ['without an end', without('exp'), 'Error: the id_token has expired'],
    [
      'with another nonce',
      { ...claims, nonce: 'n2' },
      'Error: the nonce of the id_token is not the one that was sent',
    ],
    [
      'without the nonce',
      without('nonce'),
      'Error: the nonce of the id_token is not the one that was sent',
    ],
    ['without a subject', without('sub'), 'Error: the id_token names nobody'],
    ['with an empty subject', { ...claims, sub: '' }, 'Error: the id_token names nobody'],
  ])('not %s', async (_, payload, refusal) => {
    expect(await check(payload)).toBe(refusal);
  });
  test('no nonce is wanted where none was sent', async () => {
    expect(await check({ ...claims, nonce: 'n2' }, { ...rules, nonce: '' })).toBe('ann');
    expect(await check(without('nonce'), { ...rules, nonce: '' })).toBe('ann');
  });
  test('a text that is no token is refused', async () => {
    expect(await refusalOf('no token', rules)).toMatch(/JWT/);
  });
});

describe('signed', () => {
  test('by the key of the provider, until a minute after its end', async () => {
    expect(await refusalOf(await sign(claims), signed)).toBe('ann');
    expect(await refusalOf(await sign({ ...claims, exp: now - 59 }), signed)).toBe('ann');
    expect(await refusalOf(await sign({ ...claims, nbf: now + 60 }), signed)).toBe('ann');
  });
  test('not without keys, which is no fault of the token', async () => {
    const failure = new AppError('provider_failed', { provider: 'OIDC' });
    const keys = async () => {
      throw failure;
    };
    const checked = checkIdToken(await sign(claims), { ...rules, signed: { issuer, keys } });
    await expect(checked).rejects.toBe(failure);
  });
  test.each<[string, JWTPayload]>([
    ['of another issuer', { ...claims, iss: 'https://other.example' }],
    ['for another', { ...claims, aud: 'them' }],
    ['a minute after its end', { ...claims, exp: now - 60 }],
    ['more than a minute before its beginning', { ...claims, nbf: now + 61 }],
    ['without a subject', without('sub')],
    ['without an end', without('exp')],
    ['with another nonce', { ...claims, nonce: 'n2' }],
    ['for several without a party', { ...claims, aud: ['us', 'them'] }],
  ])('not %s', async (_, payload) => {
    expect(await refusalOf(await sign(payload), signed)).toMatch(/Error|JWT/);
  });
  test('not by another key, by none, or by a secret', async () => {
    const other = await generateKeyPair('ES256');
    expect(await refusalOf(await sign(claims, other.privateKey), signed)).toMatch(/signature/);
    expect(await refusalOf(new UnsecuredJWT(claims).encode(), signed)).toMatch(/alg/i);
    const secret = new Uint8Array(32);
    const keys = async () => secret;
    const byPublic = await sign(claims, secret, 'HS256');
    expect(await refusalOf(byPublic, { ...rules, signed: { issuer, keys } })).toMatch(/alg/i);
  });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  test.each<[string, { publicKey: KeyObject; privateKey: KeyObject }]>([
    ['RS256', rsa],
    ['RS384', rsa],
    ['RS512', rsa],
    ['PS256', rsa],
    ['PS384', rsa],
    ['PS512', rsa],
    ['ES384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['ES512', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['EdDSA', generateKeyPairSync('ed25519')],
    ['Ed25519', generateKeyPairSync('ed25519')],
  ])('by %s', async (alg, pair) => {
    const keys = async () => pair.publicKey;
    const token = await sign(claims, pair.privateKey, alg);
    expect(await checkIdToken(token, { ...rules, signed: { issuer, keys } })).toBe('ann');
  });
});

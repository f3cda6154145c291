/** The document and the keys of an OpenID provider: what is needed, and how long it is kept. */
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { createOidcDiscovery } from '../../../../src/core/accounts/third-party/oidc-discovery.ts';
import { codeOf, createTestClock, type TestClock } from '../../../support/app.ts';

const jwksUri = 'https://id.example/keys';
const address = 'https://id.example/.well-known/openid-configuration';
const document = {
  issuer: 'https://id.example',
  authorization_endpoint: 'https://id.example/authorize',
  token_endpoint: 'https://id.example/token',
  userinfo_endpoint: 'https://id.example/userinfo',
  jwks_uri: jwksUri,
};
const jwkOf = async (kid: string): Promise<JWK> => ({
  ...(await exportJWK((await generateKeyPair('ES256')).publicKey)),
  kid,
  alg: 'ES256',
});
const [first, second] = [await jwkOf('first'), await jwkOf('second')];

let clock: TestClock;
let replies: Record<string, unknown>;
let requests: unknown[][];
beforeEach(() => {
  clock = createTestClock();
  replies = { ...document, more: 'that is not kept' };
  requests = [];
});
const open = () =>
  createOidcDiscovery({
    client: {
      read: async (...request) => {
        requests.push(request);
        return replies;
      },
      readList: async () => [],
    },
    clock,
  });

describe('the document', () => {
  test('is read with its five addresses', async () => {
    expect(await open().read(address)).toEqual(document);
    expect(requests).toEqual([['OIDC', { method: 'GET', url: address, headers: {} }]]);
    replies = { authorization_endpoint: 'a', token_endpoint: 't' };
    expect(await open().read('HTTP://id.example')).toMatchObject({ issuer: '', jwks_uri: '' });
  });
  test.each(['authorization_endpoint', 'token_endpoint'])('needs %s', async (name) => {
    replies = { ...document, [name]: '' };
    await expect(open().read(address)).rejects.toMatchObject({
      code: 'provider_failed',
      params: { provider: 'OIDC' },
    });
  });
  test.each(['', 'ftp://id.example', 'xhttps://id.example', 'https://', 'id.example'])(
    '"%s" is no address of one',
    async (wrong) => {
      await expect(open().read(wrong)).rejects.toMatchObject({
        code: 'invalid_parameter',
        params: { field: 'well_known' },
      });
      expect(requests).toEqual([]);
    },
  );
  test('is kept for an hour, one at a time', async () => {
    const discovery = open();
    await discovery.known(address);
    clock.move(3_599_999);
    expect(await discovery.known(address)).toEqual(document);
    expect(requests).toHaveLength(1);
    clock.move(1);
    await discovery.known(address);
    expect(requests).toHaveLength(2);
    await discovery.known(`${address}/other`);
    await discovery.known(address);
    expect(requests).toHaveLength(4);
  });
});

describe('keys', () => {
  const keyOf = async (discovery: ReturnType<typeof open>, kid: string, from = jwksUri) =>
    discovery.keys(from)({ alg: 'ES256', kid }, { payload: '', signature: '' });

  test('are read once, and again for a key that is unknown, half a minute later', async () => {
    replies = { keys: [first] };
    const discovery = open();
    await keyOf(discovery, 'first');
    await keyOf(discovery, 'first');
    expect(requests).toEqual([['OIDC', { method: 'GET', url: jwksUri, headers: {} }]]);
    replies = { keys: [second] };
    clock.move(29_999);
    expect(await codeOf(keyOf(discovery, 'second'))).toBe('ERR_JWKS_NO_MATCHING_KEY');
    expect(requests).toHaveLength(1);
    clock.move(1);
    expect(await keyOf(discovery, 'second')).toBeDefined();
    expect(requests).toHaveLength(2);
    expect(await codeOf(keyOf(discovery, 'first'))).toBe('ERR_JWKS_NO_MATCHING_KEY');
    expect(requests).toHaveLength(2);
  });
  test('that the provider withdrew count for an hour at most', async () => {
    replies = { keys: [first, second] };
    const discovery = open();
    await keyOf(discovery, 'first');
    replies = { keys: [second] };
    clock.move(3_599_999);
    await keyOf(discovery, 'first');
    clock.move(1);
    expect(await codeOf(keyOf(discovery, 'first'))).toBe('ERR_JWKS_NO_MATCHING_KEY');
  });
  test('are forgotten where a signature does not fit, at most twice a minute', async () => {
    replies = { keys: [first] };
    const discovery = open();
    expect(discovery.forgetKeys(jwksUri)).toBe(true);
    await keyOf(discovery, 'first');
    clock.move(29_999);
    expect(discovery.forgetKeys(jwksUri)).toBe(false);
    await keyOf(discovery, 'first');
    expect(requests).toHaveLength(1);
    clock.move(1);
    expect(discovery.forgetKeys(jwksUri)).toBe(true);
    await keyOf(discovery, 'first');
    expect(requests).toHaveLength(2);
  });
  test('that were read just now are not read again', async () => {
    replies = { keys: [first] };
    const discovery = open();
    expect(await codeOf(keyOf(discovery, 'second'))).toBe('ERR_JWKS_NO_MATCHING_KEY');
    expect(requests).toHaveLength(1);
  });
  test('another failure reads none', async () => {
    replies = { keys: [first, { ...first }] };
    const discovery = open();
    expect(await codeOf(keyOf(discovery, 'first'))).toBe('ERR_JWKS_MULTIPLE_MATCHING_KEYS');
    clock.move(60_000);
    expect(await codeOf(keyOf(discovery, 'first'))).toBe('ERR_JWKS_MULTIPLE_MATCHING_KEYS');
    expect(requests).toHaveLength(1);
  });
  test('of another address are others', async () => {
    replies = { keys: [first] };
    const discovery = open();
    await keyOf(discovery, 'first');
    await keyOf(discovery, 'first', 'https://other.example/keys');
    expect(requests).toHaveLength(2);
  });
});

/** A real OpenID Connect provider: PKCE, the checks of its id_token, addresses, discovery. */
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { oidcClient } from '../support/oidc-provider.ts';
import { type SignInSite, startSignInSite } from './sign-in-site.ts';

const codeIn = ({ json }: { json: Record<string, unknown> }) => json['code'];

test('the browser is sent with nonce and PKCE challenge, and the code is worthless without the verifier', async () => {
  const site = await startSignInSite();
  site.oidc.setUser({ sub: 'u-1' });
  const address = await site.browser().begin('oidc');
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: oidcClient.id,
    redirect_uri: `${site.url}/oauth/oidc`,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
  });
  // A code of another browser's visit, brought to one's own.
  const stolen = (await site.oidc.consent(address.href)).searchParams.get('code');
  const thief = site.browser();
  const own = (await thief.begin('oidc')).searchParams.get('state');
  expect(codeIn(await thief.get(`/api/oauth/oidc?code=${stolen}&state=${own}`))).toBe(
    'provider_failed',
  );
});

test('a client of New API, which sends no nonce and no challenge, signs in as well', async () => {
  const site = await startSignInSite();
  site.oidc.setUser({ sub: 'u-1' });
  const browser = site.browser();
  const { data: state } = (await browser.get('/api/oauth/state')).json as { data: string };
  const query = new URLSearchParams({
    client_id: oidcClient.id,
    redirect_uri: `${site.url}/oauth/oidc`,
    response_type: 'code',
    scope: 'openid profile email',
    state,
  });
  const back = await site.oidc.consent(`${site.oidc.url}/auth?${query}`);
  expect((await browser.get(`/api/oauth/oidc${back.search}`)).json['success']).toBe(true);
});

test('keys that the provider replaced are read again', async () => {
  const site = await startSignInSite();
  site.oidc.setUser({ sub: 'u-1' });
  expect((await site.visit(site.browser(), 'oidc')).json['success']).toBe(true);
  site.oidc.rotateKeys();
  // Anybody can make up the name of a key, so the keys are not read for each.
  expect(codeIn(await site.visit(site.browser(), 'oidc'))).toBe('id_token_invalid');
  site.clock.move(60_000);
  expect((await site.visit(site.browser(), 'oidc')).json['success']).toBe(true);
});

test('a key that the provider replaced under the same name, or under none, is read again', async () => {
  const site = await startSignInSite();
  site.oidc.setUser({ sub: 'u-1' });
  for (const kid of ['the one', undefined]) {
    site.clock.move(3_600_000);
    for (const _ of ['first', 'second']) {
      await expectToken(site, () => ({}), undefined, { kid, after: 60_000 });
    }
    // Each forged token does not read them again.
    await expectToken(site, () => ({}), 'id_token_invalid', { kid, after: 0 });
  }
});

/** Visits with an id_token of ours in place of the provider's. */
async function expectToken(
  site: SignInSite,
  claims: (genuine: JWTPayload) => JWTPayload,
  expected: string | undefined,
  { kid, after }: { kid?: string | undefined; after: number } = {
    kid: randomUUID(),
    after: 3_600_000,
  },
) {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const named = kid === undefined ? {} : { kid };
  const jwk = { ...(await exportJWK(publicKey)), ...named, alg: 'RS256', use: 'sig' };
  site.clock.move(after);
  const now = Math.floor(site.clock.now() / 1000);
  const browser = site.browser();
  const address = await browser.begin('oidc');
  const genuine: JWTPayload = {
    iss: site.oidc.url,
    aud: oidcClient.id,
    sub: 'u-1',
    exp: now + 600,
    iat: now,
    nonce: address.searchParams.get('nonce') ?? '',
  };
  const token = await new SignJWT({ ...genuine, ...claims(genuine) })
    .setProtectedHeader({ alg: 'RS256', ...named })
    .sign(privateKey);
  site.oidc.tamper('/jwks', () => ({ keys: [jwk] }));
  site.oidc.tamper('/token', (body) => ({ ...body, id_token: token }));
  const back = await site.oidc.consent(address.href);
  const reply = await browser.get(`/api/oauth/oidc${back.search}`);
  expect(codeIn(reply)).toBe(expected);
}

test('an id_token with one wrong claim, or signed by another key, is refused', async () => {
  const site = await startSignInSite();
  site.oidc.setUser({ sub: 'u-1' });
  await expectToken(site, () => ({}), undefined);
  const wrong: readonly ((genuine: JWTPayload) => JWTPayload)[] = [
    () => ({ iss: 'https://evil.example' }),
    () => ({ aud: 'another client' }),
    () => ({ aud: [oidcClient.id, 'another client'] }),
    () => ({ azp: 'another client' }),
    () => ({ nonce: 'another nonce' }),
    () => ({ nonce: undefined }),
    () => ({ sub: 'somebody else' }),
    () => ({ sub: undefined }),
    ({ iat = 0 }) => ({ exp: iat - 61 }),
    () => ({ exp: undefined }),
  ];
  for (const claims of wrong) await expectToken(site, claims, 'id_token_invalid');
  await expectToken(
    site,
    () => ({ aud: [oidcClient.id, 'another client'], azp: oidcClient.id }),
    undefined,
  );
  // Signed by a key that is not published; unsigned; garbage.
  site.oidc.tamper('/jwks', () => ({ keys: [] }));
  site.clock.move(3_600_000);
  expect(codeIn(await site.visit(site.browser(), 'oidc'))).toBe('id_token_invalid');
  for (const token of ['garbage', `${btoa('{"alg":"none"}')}.${btoa('{"sub":"u-1"}')}.`]) {
    site.oidc.tamper('/token', (body) => ({ ...body, id_token: token }));
    expect(codeIn(await site.visit(site.browser(), 'oidc'))).toBe('id_token_invalid');
  }
});

test('without a discovery address the claims of the token are checked all the same', async () => {
  const site = await startSignInSite();
  site.oidc.setUser({ sub: 'u-1' });
  await site.set({ 'oidc.well_known': '' });
  await expectToken(site, () => ({}), undefined);
  await expectToken(site, () => ({ nonce: 'another' }), 'id_token_invalid');
  await expectToken(site, () => ({ aud: 'another client' }), 'id_token_invalid');
  await expectToken(site, ({ iat = 0 }) => ({ exp: iat - 61 }), 'id_token_invalid');
});

test('a provider without id_token is asked for the profile only; a profile without sub is refused', async () => {
  const site = await startSignInSite();
  site.oidc.setUser({ sub: 'u-1' });
  site.oidc.tamper('/token', ({ id_token: _, ...body }) => body);
  expect((await site.visit(site.browser(), 'oidc')).json['success']).toBe(true);
  site.oidc.tamper('/me', () => ({ name: 'Nobody' }));
  expect(codeIn(await site.visit(site.browser(), 'oidc'))).toBe('provider_failed');
  site.oidc.tamper('/me', undefined);
  site.oidc.tamper('/token', () => ({ token_type: 'Bearer' }));
  expect(codeIn(await site.visit(site.browser(), 'oidc'))).toBe('provider_failed');
});

test.each([
  ['verified and free', 'new@example.org', true, 'new@example.org'],
  ['not verified', 'new@example.org', false, ''],
  ['of another account', 'Taken@example.org', true, ''],
  ['no address', 'nonsense', true, ''],
])('an e-mail address that is %s', async (_, email, email_verified, stored) => {
  const site = await startSignInSite();
  const taken = await site.addUser('ann');
  await site.app.storage.users.update(taken, { email: 'taken@example.org', emailVerified: true });
  site.oidc.setUser({ sub: 'u-1', email, email_verified });
  const { id } = (await site.visit(site.browser(), 'oidc')).json['data'] as { id: number };
  expect(id).not.toBe(taken);
  expect(await site.operator.user.get({ id })).toMatchObject({ email: stored });
});

test('discovery reads the addresses, and says what is wrong with one', async () => {
  const site = await startSignInSite();
  const root = site.browser();
  await root.logIn('root');
  const discover = (well_known: string) => root.post('/api/option/oidc_discovery', { well_known });
  expect((await discover(` ${site.oidc.wellKnown} `)).json['data']).toEqual({
    issuer: site.oidc.url,
    authorization_endpoint: `${site.oidc.url}/auth`,
    token_endpoint: `${site.oidc.url}/token`,
    userinfo_endpoint: `${site.oidc.url}/me`,
  });
  expect((await discover('file:///etc/passwd')).json).toMatchObject({
    code: 'invalid_parameter',
    field: 'well_known',
  });
  expect(codeIn(await discover(`${site.oidc.url}/nothing-here`))).toBe('provider_failed');
  expect(codeIn(await discover('http://127.0.0.1:1/'))).toBe('provider_failed');
  const visitor = site.browser();
  expect(
    (await visitor.post('/api/option/oidc_discovery', { well_known: site.oidc.wellKnown })).status,
  ).toBe(401);
});

// Covers src/core/accounts/third-party.
/** What each third party is asked, whom its replies prove, and which are refused. */
import { describe, expect, test } from 'vitest';
import type {
  SignInMethod,
  SignInProof,
} from '../../../../src/core/accounts/sign-in/sign-in-method.ts';
import { createGithubMethod } from '../../../../src/core/accounts/third-party/github-method.ts';
import { createLinuxdoMethod } from '../../../../src/core/accounts/third-party/linuxdo-method.ts';
import type { OidcDiscovery } from '../../../../src/core/accounts/third-party/oidc-discovery.ts';
import { createOidcMethod } from '../../../../src/core/accounts/third-party/oidc-method.ts';
import type { ProviderRequest } from '../../../../src/core/accounts/third-party/provider-client.ts';
import { createTelegramMethod } from '../../../../src/core/accounts/third-party/telegram-method.ts';
import type { ThirdPartyDeps } from '../../../../src/core/accounts/third-party/third-party-deps.ts';
import { createWechatMethod } from '../../../../src/core/accounts/third-party/wechat-method.ts';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import { codeOf } from '../../../support/app.ts';
import { signByTelegram } from '../../../support/sign-in-providers.ts';

const now = Date.UTC(2026, 10, 30);
const clock = { now: () => now, sleep: async () => {} };

/** `replies`: by the path that is called; an error is thrown. */
function depsWith(options: Readonly<Record<string, unknown>>, replies: Record<string, unknown>) {
  const calls: ProviderRequest[] = [];
  const reply = async (_label: string, request: ProviderRequest) => {
    calls.push(request);
    const found = replies[new URL(request.url).pathname];
    if (found instanceof Error) throw found;
    return found as never;
  };
  const deps: ThirdPartyDeps = {
    options: { get: (name: string) => options[name] } as unknown as ThirdPartyDeps['options'],
    config: {
      githubEndpoint: 'https://github.example//',
      githubApiEndpoint: 'https://api.github.example/v3/',
      linuxDoAuthorizeEndpoint: 'https://linux.example/authorize',
      linuxDoTokenEndpoint: 'https://linux.example/token',
      linuxDoUserEndpoint: 'https://linux.example/user',
    },
    client: { read: reply, readList: reply },
    baseUrl: () => 'https://gw.example',
    clock,
  };
  return { deps, calls };
}
const begin = (method: SignInMethod) => {
  const address = new URL(
    method.begin?.({ state: 's', nonce: 'n', challenge: 'c' } as never) ?? 'none:',
  );
  return [address.origin + address.pathname, Object.fromEntries(address.searchParams)];
};
const form = ({ body }: ProviderRequest) => Object.fromEntries(new URLSearchParams(String(body)));
const newcomerOf = (proof: SignInProof) => ('identity' in proof ? proof.newcomer : undefined);

describe('every method', () => {
  const { deps } = depsWith({}, {});
  const discovery = {} as OidcDiscovery;
  const cluster = createMemoryCluster(clock);
  const methods: readonly [string, string, string, () => SignInMethod][] = [
    ['github', 'github', 'GitHubOAuthEnabled', () => createGithubMethod(deps)],
    ['linuxdo', 'linux_do', 'LinuxDOOAuthEnabled', () => createLinuxdoMethod(deps)],
    [
      'oidc',
      'oidc',
      'oidc.enabled',
      () => createOidcMethod({ ...deps, discovery, logger: silentLogger }),
    ],
    [
      'telegram',
      'telegram',
      'TelegramOAuthEnabled',
      () => createTelegramMethod({ ...deps, cluster }),
    ],
    ['wechat', 'wechat', 'WeChatAuthEnabled', () => createWechatMethod(deps)],
  ];

  test.each(methods)(
    '%s is open to holders of its identity, while it is on',
    (id, own, name, make) => {
      const method = make();
      expect(method.id).toBe(id);
      const options = (on: string) => ({ get: (asked: string) => asked === on }) as never;
      expect([method.isEnabled(options(name)), method.isEnabled(options('another'))]).toEqual([
        true,
        false,
      ]);
      expect(method.provider).toBe(own);
      expect(method.isOpenTo({} as never, { [own]: '7' })).toBe(true);
      expect(method.isOpenTo({} as never, { another: '7' })).toBe(false);
    },
  );

  test.each(methods.filter(([id]) => id !== 'telegram'))(
    '%s needs a code',
    async (...[, , , make]) => {
      for (const input of [{}, { code: ' ' }])
        expect(await codeOf(make().complete(input as never))).toBe('invalid_parameter');
    },
  );
});

describe('GitHub', () => {
  const options = { GitHubClientId: 'id', GitHubClientSecret: 'secret' };
  const open = (replies: Record<string, unknown> = {}) => {
    const { deps, calls } = depsWith(options, {
      '/login/oauth/access_token': { access_token: 'token' },
      '/v3/user': { id: 77, login: 'ann', name: 'Ann' },
      '/v3/user/emails': [
        { email: 'Ann@Example.org', verified: true },
        { email: 'other@example.org', verified: false },
        null,
      ],
      ...replies,
    });
    return { method: createGithubMethod(deps), calls };
  };

  test('is asked for the user of a code', async () => {
    const { method, calls } = open();
    expect(begin(method)).toEqual([
      'https://github.example/login/oauth/authorize',
      { client_id: 'id', state: 's', scope: 'user:email' },
    ]);
    const proof = await method.complete({ code: ' abc ' });
    expect(proof).toMatchObject({
      identity: { provider: 'github', subject: '77' },
      newcomer: { prefix: 'github_', displayName: 'Ann' },
      formerly: { subject: 'ann' },
    });
    expect(calls).toEqual([
      {
        method: 'POST',
        url: 'https://github.example/login/oauth/access_token',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_id: 'id', client_secret: 'secret', code: 'abc' }),
      },
      {
        method: 'GET',
        url: 'https://api.github.example/v3/user',
        headers: { authorization: 'Bearer token' },
      },
    ]);
    const formerly = 'identity' in proof ? proof.formerly : undefined;
    expect(await formerly?.verifiedEmails()).toEqual(['ann@example.org']);
  });

  test('a login name that is absent or a number is no earlier identity', async () => {
    for (const login of [undefined, '1234']) {
      const proof = await open({ '/v3/user': { id: 77, login } }).method.complete({ code: 'c' });
      expect(Object.keys(proof)).not.toContain('formerly');
      expect(newcomerOf(proof)?.displayName).toBe(login ?? '');
    }
    const proof = await open({ '/v3/user': { id: 77, login: 'a1' } }).method.complete({
      code: 'c',
    });
    expect(proof).toMatchObject({ formerly: { subject: 'a1' } });
  });

  test.each([
    [{ '/login/oauth/access_token': { error: 'bad_verification_code' } }, 'provider_refused'],
    [{ '/v3/user': {} }, 'provider_failed'],
    [{ '/v3/user': { id: null, login: 'ann' } }, 'provider_failed'],
  ])('%j is refused: %s', async (replies, code) => {
    expect(await codeOf(open(replies).method.complete({ code: 'c' }))).toBe(code);
  });

  test('a refusal names its reason', async () => {
    const refusal = { error: 'bad', error_description: 'The code is wrong' };
    for (const reply of [refusal, { error: 'The code is wrong' }])
      await expect(
        open({ '/login/oauth/access_token': reply }).method.complete({ code: 'c' }),
      ).rejects.toMatchObject({ params: { reason: 'The code is wrong' } });
  });
});

describe('LinuxDO', () => {
  const options = { LinuxDOClientId: 'id', LinuxDOClientSecret: 's', LinuxDOMinimumTrustLevel: 2 };
  const open = (profile: object, token: object = { access_token: 'token' }) => {
    const { deps, calls } = depsWith(options, { '/token': token, '/user': profile });
    return { method: createLinuxdoMethod(deps), calls };
  };
  const ann = {
    id: 7,
    username: 'ann',
    name: 'Ann',
    trust_level: 2,
    active: true,
    silenced: false,
  };

  test('is asked for the user of a code', async () => {
    const { method, calls } = open(ann);
    const redirect = 'https://gw.example/oauth/linuxdo';
    expect(begin(method)).toEqual([
      'https://linux.example/authorize',
      { response_type: 'code', client_id: 'id', redirect_uri: redirect, state: 's' },
    ]);
    expect(await method.complete({ code: 'c' })).toEqual({
      identity: { provider: 'linux_do', subject: '7' },
      newcomer: { prefix: 'linuxdo_', displayName: 'Ann' },
    });
    expect(calls.map(({ url, headers }) => [url, headers?.['authorization']])).toEqual([
      ['https://linux.example/token', `Basic ${Buffer.from('id:s').toString('base64')}`],
      ['https://linux.example/user', 'Bearer token'],
    ]);
    expect(calls.map(({ method: verb }) => verb)).toEqual(['POST', 'GET']);
    expect(form(calls[0] as ProviderRequest)).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: redirect,
    });
  });

  test.each([
    [{ ...ann, trust_level: 1 }, 'trust_level_too_low'],
    [{ ...ann, trust_level: undefined }, 'trust_level_too_low'],
    [{ ...ann, trust_level: 'high' }, 'trust_level_too_low'],
    [{ ...ann, active: false }, 'provider_account_inactive'],
    [{ ...ann, silenced: true }, 'provider_account_inactive'],
  ])('%j is known, but no newcomer', async (profile, code) => {
    const proof = await open(profile).method.complete({ code: 'c' });
    expect(proof).toMatchObject({ identity: { subject: '7' }, newcomer: { refusal: { code } } });
  });

  test('is a failure without a token or a user', async () => {
    expect(await codeOf(open(ann, {}).method.complete({ code: 'c' }))).toBe('provider_failed');
    for (const id of [undefined, 0, '0', ''])
      expect(await codeOf(open({ ...ann, id }).method.complete({ code: 'c' }))).toBe(
        'provider_failed',
      );
  });

  test('shows the user name where there is no other', async () => {
    const proof = await open({ ...ann, name: '' }).method.complete({ code: 'c' });
    expect(newcomerOf(proof)).toEqual({ prefix: 'linuxdo_', displayName: 'ann' });
  });
});

describe('WeChat', () => {
  const options = { WeChatServerAddress: 'https://wx.example', WeChatServerToken: 'token' };
  const open = (reply: object) => {
    const { deps, calls } = depsWith(options, { '/api/wechat/user': reply });
    return { method: createWechatMethod(deps), calls };
  };

  test('whose code it is', async () => {
    const { method, calls } = open({ success: true, data: 'open-id' });
    expect(await method.complete({ code: '12 34' })).toEqual({
      identity: { provider: 'wechat', subject: 'open-id' },
      newcomer: { prefix: 'wechat_', displayName: '' },
    });
    expect(calls).toEqual([
      {
        method: 'GET',
        url: 'https://wx.example/api/wechat/user?code=12+34',
        headers: { authorization: 'token' },
      },
    ]);
  });

  test.each([
    { success: false, data: 'x' },
    { success: 'true', data: 'x' },
    { success: true },
    { data: 'x' },
  ])('%j is a wrong code', async (reply) => {
    await expect(open(reply).method.complete({ code: 'c' })).rejects.toMatchObject({
      code: 'wechat_code_invalid',
      params: { field: 'code' },
    });
  });
});

describe('Telegram', () => {
  const bot = '1:token';
  const open = (botToken = bot) =>
    createTelegramMethod({
      ...depsWith({ TelegramBotToken: botToken }, {}).deps,
      cluster: createMemoryCluster(clock),
    });
  const seconds = now / 1000;
  const signed = (fields: Record<string, string> = {}, key = bot): Record<string, string> => {
    const ann = { id: '7', first_name: 'Ann', auth_date: String(seconds) };
    return signByTelegram(key, { ...ann, ...fields });
  };

  test('proves by its signature, once, however it is written', async () => {
    const method = open();
    const reply = signed();
    expect(await method.complete({ ...reply, state: 'any', lang: 'zh' })).toEqual({
      identity: { provider: 'telegram', subject: '7' },
    });
    expect(await codeOf(method.complete(reply))).toBe('telegram_invalid');
    const capitals = { ...reply, hash: String(reply['hash']).toUpperCase() };
    expect(await codeOf(method.complete(capitals))).toBe('telegram_invalid');
    expect(await method.complete(signed({ first_name: 'Bob' }))).toBeTruthy();
  });

  test('is good for a day, by a clock that is a minute ahead at most', async () => {
    for (const age of [24 * 3600, -60])
      expect(await open().complete(signed({ auth_date: String(seconds - age) }))).toBeTruthy();
    for (const age of [24 * 3600 + 1, -61])
      expect(await codeOf(open().complete(signed({ auth_date: String(seconds - age) })))).toBe(
        'telegram_invalid',
      );
  });

  test.each<[string, Record<string, string>, string?]>([
    ['of another bot', signed({}, '2:token')],
    ['with another field', { ...signed(), first_name: 'Eve' }],
    ['with one more field', { ...signed(), username: 'eve' }],
    ['without an id', signed({ id: '' })],
    ['with an id that is none', signed({ id: '07' })],
    ['with an id and more', signed({ id: '7x' })],
    ['with a time that is none', signed({ auth_date: 'now' })],
    ['with a time and more', signed({ auth_date: `${seconds}x` })],
    ['with something before its time', signed({ auth_date: `x${seconds}` })],
    ['with a time that is too long', signed({ auth_date: '1'.repeat(13) })],
    ['without a hash', { ...signed(), hash: '' }],
    ['with a hash and more', { ...signed(), hash: `${signed()['hash']}0` }],
    ['while there is no bot', signed({}, ''), ''],
  ])('a reply %s is refused', async (_, reply, botToken = bot) => {
    expect(await codeOf(open(botToken).complete(reply))).toBe('telegram_invalid');
  });
});

describe('OpenID Connect', () => {
  const options = {
    'oidc.client_id': 'id',
    'oidc.client_secret': 'secret',
    'oidc.well_known': '',
    'oidc.authorization_endpoint': 'https://op.example/authorize?tenant=t',
    'oidc.token_endpoint': 'https://op.example/token',
    'oidc.user_info_endpoint': 'https://op.example/me',
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const idToken = (claims: object = {}) => {
    const all = { iss: 'https://op.example', sub: '7', aud: 'id', nonce: 'n', ...claims };
    const times = { iat: now / 1000, exp: now / 1000 + 60 };
    return `${part({ alg: 'none' })}.${part({ ...times, ...all })}.`;
  };
  const ann = {
    sub: '7',
    name: 'Ann',
    preferred_username: 'ann',
    email: ' Ann@Example.org ',
    email_verified: true,
  };
  const open = (
    profile: object = ann,
    token: object = { access_token: 'token' },
    more: object = {},
    known: OidcDiscovery['known'] = async () => {
      throw new AppError('provider_failed');
    },
  ) => {
    const { deps, calls } = depsWith({ ...options, ...more }, { '/token': token, '/me': profile });
    const logged: unknown[] = [];
    const logger = { ...silentLogger, warn: (fields: object) => void logged.push(fields) };
    const discovery = { known, keys: () => async () => [] } as unknown as OidcDiscovery;
    return { method: createOidcMethod({ ...deps, discovery, logger }), calls, logged };
  };

  test('is asked for the user of a code, with the verifier of the visit', async () => {
    const { method, calls } = open();
    const redirect = 'https://gw.example/oauth/oidc';
    expect(begin(method)).toEqual([
      'https://op.example/authorize',
      {
        tenant: 't',
        client_id: 'id',
        redirect_uri: redirect,
        response_type: 'code',
        scope: 'openid profile email',
        state: 's',
        nonce: 'n',
        code_challenge: 'c',
        code_challenge_method: 'S256',
      },
    ]);
    expect(await method.complete({ code: 'abc', verifier: 'v' })).toEqual({
      identity: { provider: 'oidc', subject: '7' },
      newcomer: {
        prefix: 'oidc_',
        displayName: 'Ann',
        offeredName: 'ann',
        email: 'ann@example.org',
      },
    });
    const exchange = {
      client_id: 'id',
      client_secret: 'secret',
      code: 'abc',
      grant_type: 'authorization_code',
      redirect_uri: redirect,
    };
    expect(form(calls[0] as ProviderRequest)).toEqual({ ...exchange, code_verifier: 'v' });
    expect(calls[1]).toEqual({
      method: 'GET',
      url: 'https://op.example/me',
      headers: { authorization: 'Bearer token' },
    });
    const plain = open();
    await plain.method.complete({ code: 'abc' });
    expect(form(plain.calls[0] as ProviderRequest)).toEqual(exchange);
  });

  test.each([
    [
      { ...ann, email_verified: 'true' },
      { displayName: 'Ann', offeredName: 'ann' },
    ],
    [
      { ...ann, email: 'no address' },
      { displayName: 'Ann', offeredName: 'ann' },
    ],
    [
      { sub: '7', preferred_username: 'ann' },
      { displayName: 'ann', offeredName: 'ann' },
    ],
    [{ sub: '7' }, { displayName: '' }],
  ])('%j makes the newcomer %j', async (profile, newcomer) => {
    const proof = await open(profile).method.complete({ code: 'c' });
    expect(newcomerOf(proof)).toEqual({ prefix: 'oidc_', ...newcomer });
  });

  test('is a failure without a token or a subject', async () => {
    expect(await codeOf(open(ann, {}).method.complete({ code: 'c' }))).toBe('provider_failed');
    expect(await codeOf(open({ name: 'Ann' }).method.complete({ code: 'c' }))).toBe(
      'provider_failed',
    );
  });

  test('whose id_token names the same user is accepted, another one is refused', async () => {
    const complete = (claims: object, profile: object = ann) => {
      const { method, logged } = open(profile, { access_token: 't', id_token: idToken(claims) });
      return { reply: method.complete({ code: 'c', nonce: 'n' }), logged };
    };
    expect(await complete({}).reply).toMatchObject({ identity: { subject: '7' } });
    expect(await codeOf(complete({}, { ...ann, sub: '8' }).reply)).toBe('id_token_invalid');
    const replayed = complete({ nonce: 'another' });
    expect(await codeOf(replayed.reply)).toBe('id_token_invalid');
    expect(replayed.logged).toHaveLength(1);
  });

  test('with a document its issuer is the one of the document', async () => {
    const asked: string[] = [];
    const known = async (address: string) => {
      asked.push(address);
      return { issuer: 'https://op.example', jwks_uri: 'https://op.example/keys' };
    };
    const token = { access_token: 't', id_token: idToken() };
    const wellKnown = { 'oidc.well_known': 'https://op.example/document' };
    const { method, logged } = open(ann, token, wellKnown, known as never);
    // It is not signed.
    expect(await codeOf(method.complete({ code: 'c', nonce: 'n' }))).toBe('id_token_invalid');
    expect(asked).toEqual(['https://op.example/document']);
    expect(logged).toHaveLength(1);
  });
});

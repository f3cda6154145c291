// Covers src/core/accounts/third-party.
/** Sign-in and binding by providers that send the browser back with a code. */
import { describe, expect, test } from 'vitest';
import { startSignInSite } from './sign-in-site.ts';

const codeIn = ({ json }: { json: Record<string, unknown> }) => json['code'];

describe.each([
  [
    'github',
    { id: 583231, login: 'octocat', name: 'The Octocat' },
    /^github_\d+$/,
    'The Octocat',
    'github_id',
    '583231',
  ],
  [
    'linuxdo',
    { id: 1001, username: 'tux', name: '', active: true, trust_level: 2 },
    /^linuxdo_\d+$/,
    'tux',
    'linux_do_id',
    '1001',
  ],
  [
    'oidc',
    { sub: 'u-1', name: 'Ann Long-Name of the Many Words', preferred_username: 'ann' },
    /^ann$/,
    'Ann Long-Name of the',
    'oidc_id',
    'u-1',
  ],
] as const)('%s', (type, profile, username, display_name, field, subject) => {
  test('makes an account at the first sign-in, with its inviter, and finds it at the second', async () => {
    const site = await startSignInSite();
    site[type === 'oidc' ? 'github' : type].setProfile(profile);
    if (type === 'oidc') site.oidc.setUser(profile);
    const aff = await site.operator.self.inviteCode();
    const first = await site.visit(site.browser(), type, aff);
    expect(first.json).toMatchObject({
      success: true,
      message: '',
      data: { display_name, role: 1, group: 'default' },
    });
    const { id } = first.json['data'] as { id: number };
    const made = await site.operator.user.get({ id });
    expect(made).toMatchObject({
      username: expect.stringMatching(username),
      [field]: subject,
      inviter_id: 1,
    });
    const other = site.browser();
    expect((await site.visit(other, type)).json['data']).toMatchObject({ id });
    expect((await other.get('/api/user/self')).json['data']).toMatchObject({
      id,
      [field]: subject,
    });
    expect((await site.operator.user.list()).total).toBe(2);
  });

  test('brings gifts once, however often it is unbound and signs up again', async () => {
    const site = await startSignInSite();
    site[type === 'oidc' ? 'github' : type].setProfile(profile);
    if (type === 'oidc') site.oidc.setUser(profile);
    await site.set({ QuotaForNewUser: 7, QuotaForInvitee: 7, QuotaForInviter: 7 });
    const aff = await site.operator.self.inviteCode();
    const signUp = async () => {
      const browser = site.browser();
      const { id } = (await site.visit(browser, type, aff)).json['data'] as { id: number };
      browser.become(id);
      const password = { password: 'a long new password' };
      for (const reply of [
        await browser.call('PUT', '/api/user/self', password),
        await browser.delete(`/api/turnpike/self/identities/${type}`),
      ])
        expect(reply.json).toMatchObject({ success: true });
      return site.operator.user.get({ id });
    };
    const first = await signUp();
    const second = await signUp();
    expect(second.id).not.toBe(first.id);
    expect([first.quota, second.quota]).toEqual([14, 0]);
    expect(await site.operator.user.get({ id: 1 })).toMatchObject({ aff_count: 1, aff_quota: 7 });
  });

  test('binds to the user who is signed in; nobody else can bind it, deactivated owners included', async () => {
    const site = await startSignInSite();
    site[type === 'oidc' ? 'github' : type].setProfile(profile);
    if (type === 'oidc') site.oidc.setUser(profile);
    const [ann, bob] = [await site.addUser('ann'), await site.addUser('bob')];
    const [annsBrowser, bobsBrowser] = [site.browser(), site.browser()];
    await annsBrowser.logIn('ann');
    await bobsBrowser.logIn('bob');
    const bound = await site.visit(annsBrowser, type);
    expect(bound.json).toEqual({ success: true, message: 'bind' });
    expect((await annsBrowser.get('/api/turnpike/self/identities')).json['data']).toMatchObject([
      { type, id: subject },
    ]);
    expect(codeIn(await site.visit(bobsBrowser, type))).toBe('identity_taken');
    expect((await site.visit(site.browser(), type)).json['data']).toMatchObject({ id: ann });
    await site.operator.user.manage({ id: ann, action: 'disable' });
    expect(codeIn(await site.visit(site.browser(), type))).toBe('user_banned');
    await site.operator.user.manage({ id: ann, action: 'delete' });
    expect(codeIn(await site.visit(site.browser(), type))).toBe('user_deactivated');
    expect(codeIn(await site.visit(bobsBrowser, type))).toBe('identity_taken');
    expect(await site.operator.user.get({ id: bob })).toMatchObject({ [field]: '' });
  });

  test('makes no account where registration is closed, and lets known users in', async () => {
    const site = await startSignInSite();
    site[type === 'oidc' ? 'github' : type].setProfile(profile);
    if (type === 'oidc') site.oidc.setUser(profile);
    for (const [key, closed, open] of [
      ['RegisterEnabled', false, true],
      ['SelfUseModeEnabled', true, false],
    ] as const) {
      await site.set({ [key]: closed });
      expect(codeIn(await site.visit(site.browser(), type))).toBe('registration_disabled');
      await site.set({ [key]: open });
    }
    await site.visit(site.browser(), type);
    await site.set({ RegisterEnabled: false });
    expect((await site.visit(site.browser(), type)).json['success']).toBe(true);
  });

  test('is refused while it is switched off', async () => {
    const site = await startSignInSite();
    const browser = site.browser();
    const state = new URL(await browser.begin(type)).searchParams.get('state');
    await site.set({
      [{ github: 'GitHubOAuthEnabled', linuxdo: 'LinuxDOOAuthEnabled', oidc: 'oidc.enabled' }[
        type
      ]]: false,
    });
    const reply = await browser.get(`/api/oauth/${type}?code=1&state=${state}`);
    expect(reply.json).toMatchObject({ success: false, code: 'sign_in_method_disabled' });
    expect(reply.json['message']).toMatch(/has not enabled this login: (GitHub|LinuxDO|OIDC)$/);
    expect(codeIn(await browser.post('/api/turnpike/oauth/begin', { type }))).toBe(
      'sign_in_method_disabled',
    );
  });

  test('a code that the provider does not know, and a provider that is out of order', async () => {
    const site = await startSignInSite();
    const browser = site.browser();
    const call = async (query: string) => {
      const state = new URL(await browser.begin(type)).searchParams.get('state');
      return codeIn(await browser.get(`/api/oauth/${type}?state=${state}${query}`));
    };
    expect(await call('&code=made-up')).toBe(
      type === 'github' ? 'provider_refused' : 'provider_failed',
    );
    expect(await call('')).toBe('invalid_parameter');
    expect(await call('&error=access_denied&error_description=The+user+said+no')).toBe(
      'provider_refused',
    );
    if (type === 'oidc') return;
    for (const trouble of [
      { status: 500 },
      { body: 'not JSON' },
      { body: `{"a":"${'a'.repeat(1_100_000)}"}` },
      { body: '[]' },
    ]) {
      site[type].misbehave(trouble);
      expect(await call('&code=1')).toBe('provider_failed');
    }
  });
});

describe('the state of a visit', () => {
  test('is good once, in its own browser, for what it was begun for', async () => {
    const site = await startSignInSite();
    await site.addUser('ann');
    const browser = site.browser();
    const state = async () => (await browser.begin('github')).searchParams.get('state') ?? '';
    const finish = (from: typeof browser, given: string) =>
      from.get(`/api/oauth/github?code=${site.github.newCode()}&state=${given}`);
    const expectRefused = async (
      reply: Promise<{ status: number; json: Record<string, unknown> }>,
    ) => {
      const { status, json } = await reply;
      expect([status, json['success'], json['code']]).toEqual([403, false, 'oauth_state_invalid']);
    };
    await expectRefused(finish(browser, ''));
    await expectRefused(finish(browser, 'another'));
    await expectRefused(finish(site.browser(), await state()));
    const parallel = [await state(), await state()];
    const [first = '', second = ''] = parallel;
    const replies = await Promise.all([
      finish(browser, first),
      finish(browser, first),
      finish(browser, first),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    // The second was begun by a visitor; the browser is signed in now.
    await expectRefused(finish(browser, second));
    const visitor = site.browser();
    const expired = (await visitor.begin('github')).searchParams.get('state') ?? '';
    site.clock.move(10 * 60_000);
    await expectRefused(finish(visitor, expired));
  });

  test('a login that ended amid a binding makes no new account', async () => {
    const site = await startSignInSite();
    await site.addUser('ann');
    const browser = site.browser();
    await browser.logIn('ann');
    const { searchParams } = await browser.begin('github');
    browser.cookies.delete('session');
    browser.become(undefined);
    const reply = await browser.get(
      `/api/oauth/github?code=${site.github.newCode()}&state=${searchParams.get('state')}`,
    );
    expect(codeIn(reply)).toBe('oauth_state_invalid');
    expect((await site.operator.user.list()).total).toBe(2);
  });

  test('clients that make the address themselves get a state as New API gives it', async () => {
    const site = await startSignInSite();
    const aff = await site.operator.self.inviteCode();
    const browser = site.browser();
    const { json, headers } = await browser.get(`/api/oauth/state?aff=${aff}`);
    expect(json).toEqual({
      success: true,
      message: '',
      data: expect.stringMatching(/^[\w-]{43}$/),
    });
    const cookie = headers.getSetCookie()[0] ?? '';
    expect(cookie).toMatch(/^pre=[\w-]{43}; Max-Age=900; Path=\/; .*HttpOnly; SameSite=Lax$/);
    const reply = await browser.get(
      `/api/oauth/github?code=${site.github.newCode()}&state=${json['data']}`,
    );
    const { id } = reply.json['data'] as { id: number };
    expect(await site.operator.user.get({ id })).toMatchObject({ inviter_id: 1 });
  });

  test('a page of another site can neither begin nor finish a visit', async () => {
    const site = await startSignInSite();
    const browser = site.browser();
    const state = (await browser.begin('github')).searchParams.get('state');
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (const path of [
      '/api/oauth/state',
      `/api/oauth/github?code=1&state=${state}`,
      '/api/oauth/wechat?code=1',
    ])
      expect((await browser.get(path, headers)).status).toBe(403);
  });
});

test('two first sign-ins at once by one identity make one account', async () => {
  const site = await startSignInSite();
  const replies = await Promise.all([1, 2, 3, 4].map(() => site.visit(site.browser(), 'github')));
  const ids = new Set(replies.map(({ json }) => (json['data'] as { id: number } | undefined)?.id));
  expect(ids.size).toBe(1);
  expect((await site.operator.user.list()).total).toBe(2);
});

describe('GitHub login names of earlier releases', () => {
  const bindFormer = async (email: string) => {
    const site = await startSignInSite();
    const userId = await site.addUser('ann');
    await site.app.storage.users.update(userId, { email, emailVerified: email !== '' });
    await site.app.storage.userIdentities.insert({
      userId,
      provider: 'github',
      subject: 'octocat',
      createdAt: 1,
    });
    return { site, userId };
  };

  test.each([
    ['an account without an address', '', undefined],
    [
      'an address that GitHub has verified',
      'ann@example.org',
      [{ email: 'Ann@Example.org', verified: true }],
    ],
  ])('%s: the name becomes the id', async (_, email, emails) => {
    const { site, userId } = await bindFormer(email);
    site.github.setProfile({ id: 583231, login: 'octocat', emails });
    expect((await site.visit(site.browser(), 'github')).json['data']).toMatchObject({ id: userId });
    expect(await site.operator.user.get({ id: userId })).toMatchObject({ github_id: '583231' });
    // Whoever takes the name over is somebody else.
    site.github.setProfile({ id: 7, login: 'octocat', emails });
    expect((await site.visit(site.browser(), 'github')).json['data']).not.toMatchObject({
      id: userId,
    });
  });

  test.each([
    ['another address', [{ email: 'eve@example.org', verified: true }]],
    ['an address that is not verified', [{ email: 'ann@example.org', verified: false }]],
  ])('%s: the user must bind again', async (_, emails) => {
    const { site, userId } = await bindFormer('ann@example.org');
    site.github.setProfile({ id: 666, login: 'octocat', emails });
    expect(codeIn(await site.visit(site.browser(), 'github'))).toBe('identity_bind_again');
    const browser = site.browser();
    await browser.logIn('ann');
    expect((await site.visit(browser, 'github')).json['message']).toBe('bind');
    expect(await site.operator.user.get({ id: userId })).toMatchObject({ github_id: '666' });
  });
});

test.each([
  [{ trust_level: 1 }, 'trust_level_too_low'],
  [{ active: false }, 'provider_account_inactive'],
  [{ silenced: true }, 'provider_account_inactive'],
])('LinuxDO refuses a newcomer with %j, not a known user', async (change, code) => {
  const site = await startSignInSite();
  const profile = { id: 1001, username: 'tux', active: true, silenced: false, trust_level: 2 };
  await site.set({ LinuxDOMinimumTrustLevel: 2 });
  site.linuxdo.setProfile({ ...profile, ...change });
  expect(codeIn(await site.visit(site.browser(), 'linuxdo'))).toBe(code);
  site.linuxdo.setProfile(profile);
  expect((await site.visit(site.browser(), 'linuxdo')).json['success']).toBe(true);
  site.linuxdo.setProfile({ ...profile, ...change });
  expect((await site.visit(site.browser(), 'linuxdo')).json['success']).toBe(true);
});

test('user names that are taken or that break the rules are replaced', async () => {
  const site = await startSignInSite();
  const highest = await site.addUser('ann');
  await site.addUser(`oidc_${highest + 3}`);
  for (const [sub, preferred_username] of [
    ['1', 'ANN'],
    ['2', 'with spaces'],
    ['3', 'x'.repeat(21)],
  ] as const) {
    site.oidc.setUser({ sub, preferred_username });
    const { username } = (await site.visit(site.browser(), 'oidc')).json['data'] as {
      username: string;
    };
    expect(username).toMatch(/^oidc_\w{1,15}$/);
  }
});

// Covers src/core/accounts/third-party.
/** WeChat, Telegram, e-mail addresses, and what users unbind. */
import { afterEach, describe, expect, test } from 'vitest';
import { telegramHash } from '../../src/core/accounts/third-party/telegram-method.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { signByTelegram } from '../support/sign-in-providers.ts';
import { botToken, type SignInSite, startSignInSite, type TestBrowser } from './sign-in-site.ts';

const codeIn = ({ json }: { json: Record<string, unknown> }) => json['code'];
const stateOf = async (browser: TestBrowser) =>
  String((await browser.get('/api/oauth/state')).json['data']);

describe('a WeChat server', () => {
  test('its codes sign in, make accounts with their inviter, and bind, each once', async () => {
    const site = await startSignInSite();
    const aff = await site.operator.self.inviteCode();
    const code = site.wechat.newCode();
    const logIn = async (query: string) => {
      const browser = site.browser();
      return browser.get(`/api/oauth/wechat?state=${await stateOf(browser)}${query}`);
    };
    const first = await logIn(`&code=${code}&aff=${aff}`);
    const { id, display_name } = first.json['data'] as { id: number; display_name: string };
    expect(display_name).toBe('微信 用户');
    expect(await site.operator.user.get({ id })).toMatchObject({
      wechat_id: 'wx-follower-1',
      inviter_id: 1,
    });
    expect(codeIn(await logIn(`&code=${code}`))).toBe('wechat_code_invalid');
    expect(codeIn(await logIn(''))).toBe('invalid_parameter');
    expect((await logIn(`&code=${site.wechat.newCode()}`)).json['data']).toMatchObject({ id });

    await site.addUser('ann');
    const ann = site.browser();
    await ann.logIn('ann');
    const bind = () => ann.post('/api/oauth/wechat/bind', { code: site.wechat.newCode() });
    expect(codeIn(await bind())).toBe('identity_taken');
    site.wechat.setProfile({ id: 'wx-follower-2' });
    expect((await bind()).json).toEqual({ success: true, message: '' });
    expect((await site.browser().get('/api/oauth/wechat/bind?code=1')).status).toBe(401);
  });

  test('a code is sent whole, however odd, and the token only to the server that was set', async () => {
    const site = await startSignInSite();
    const logIn = async (given: string) => {
      const browser = site.browser();
      return browser.get(
        `/api/oauth/wechat?state=${await stateOf(browser)}&code=${encodeURIComponent(given)}`,
      );
    };
    expect(codeIn(await logIn('a&b=c/../x'))).toBe('wechat_code_invalid');
    expect(site.wechat.requests.at(-1)?.path).toBe('/api/wechat/user?code=a%26b%3Dc%2F..%2Fx');
    await site.set({ WeChatServerToken: 'another token' });
    expect(codeIn(await logIn(site.wechat.newCode()))).toBe('wechat_code_invalid');
    site.wechat.misbehave({ status: 502 });
    expect((await logIn('1')).json['message']).toMatch(/unexpected reply: WeChat\./);
  });
});

describe('Telegram', () => {
  const fieldsAt = (site: SignInSite, change: Record<string, string> = {}) =>
    signByTelegram(botToken, {
      id: '42',
      first_name: 'Ann',
      auth_date: String(Math.floor(site.clock.now() / 1000)),
      ...change,
    });
  const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  /** A browser signs in by what Telegram's widget returned to it. */
  const logInBy = async (site: SignInSite, fields: Record<string, string>) => {
    const browser = site.browser();
    return browser.get(
      `/api/oauth/telegram/login?${query({ ...fields, state: await stateOf(browser) })}`,
    );
  };
  const bindTelegram = async (site: SignInSite) => {
    const id = await site.addUser('ann');
    const browser = site.browser();
    await browser.logIn('ann');
    const fields = { ...fieldsAt(site), state: await stateOf(browser) };
    expect((await browser.get(`/api/oauth/telegram/bind?${query(fields)}`)).json).toEqual({
      success: true,
      message: '',
    });
    site.clock.move(1000);
    return { id, browser };
  };

  test('signs as documented', () => {
    const hash = telegramHash(
      { id: '42', first_name: 'Ann', auth_date: '1700000000', lang: 'en', hash: 'x', state: 's' },
      '123:bot-token',
    );
    expect(hash.toString('hex')).toBe(
      'f2406de46f719a8c9ac52bf331006e88c96b5999f1442dfd1db78e6a4349f579',
    );
  });

  test('signs in whoever has bound it, with any signed fields, and nobody else', async () => {
    const site = await startSignInSite();
    const logIn = (fields: Record<string, string>) => logInBy(site, fields);
    expect(codeIn(await logIn(fieldsAt(site)))).toBe('identity_unbound');
    site.clock.move(1000);
    const { id } = await bindTelegram(site);
    const fields = fieldsAt(site, { username: 'ann', photo_url: 'https://t.me/i/a&b.jpg' });
    expect((await logIn({ ...fields, lang: 'en' })).json['data']).toMatchObject({ id });
    // The same reply of Telegram again.
    expect(codeIn(await logIn(fields))).toBe('telegram_invalid');
    await site.operator.user.manage({ id, action: 'disable' });
    site.clock.move(1000);
    expect(codeIn(await logIn(fieldsAt(site)))).toBe('user_banned');
    await site.set({ TelegramOAuthEnabled: false });
    expect(codeIn(await logIn(fieldsAt(site)))).toBe('sign_in_method_disabled');
  });

  test('refuses what Telegram did not sign, or signed a day ago, or will sign', async () => {
    const site = await startSignInSite();
    await bindTelegram(site);
    const at = (seconds: number) => ({
      auth_date: String(Math.floor(site.clock.now() / 1000) + seconds),
    });
    const genuine = fieldsAt(site);
    const forged = [
      { ...genuine, id: '43' },
      { ...genuine, extra: '1' },
      { ...genuine, hash: '0'.repeat(64) },
      { ...genuine, hash: 'ff' },
      { ...genuine, auth_date: '' },
      signByTelegram('124:another', { id: '42', first_name: 'Ann', ...at(0) }),
      fieldsAt(site, { id: '' }),
      fieldsAt(site, { id: '0' }),
      fieldsAt(site, at(-24 * 3600 - 1)),
      fieldsAt(site, at(120)),
    ];
    for (const fields of forged)
      expect(codeIn(await logInBy(site, fields))).toBe('telegram_invalid');
    expect((await logInBy(site, fieldsAt(site, at(-24 * 3600 + 60)))).json['success']).toBe(true);
  });

  test('a state that is not of this browser signs nobody in', async () => {
    const site = await startSignInSite();
    await bindTelegram(site);
    const [victim, attacker] = [site.browser(), site.browser()];
    const { data: foreign } = (await attacker.get('/api/oauth/state')).json as { data: string };
    const logIn = (state: string) =>
      victim.get(`/api/oauth/telegram/login?${query({ ...fieldsAt(site), state })}`);
    expect((await logIn(foreign)).status).toBe(403);
    expect((await logIn('')).status).toBe(403);
    const { data: own } = (await victim.get('/api/oauth/state')).json as { data: string };
    expect((await logIn(own)).json['success']).toBe(true);
  });

  test('its widget may open the binding as a page, which redirects', async () => {
    const site = await startSignInSite();
    const id = await site.addUser('ann');
    const browser = site.browser();
    await browser.logIn('ann');
    const open = async (fields: Record<string, string>, from: string) => {
      browser.become(undefined);
      const headers = { 'sec-fetch-site': from, 'sec-fetch-dest': 'document', accept: 'text/html' };
      const reply = await browser.get(`/api/oauth/telegram/bind?${query(fields)}`, headers);
      browser.become(id);
      return [reply.status, reply.headers.get('location')];
    };
    const refused = [302, '/oauth/telegram?error=oauth_state_invalid'];
    expect(await open(fieldsAt(site), 'cross-site')).toEqual(refused);
    expect(await open(fieldsAt(site), 'same-origin')).toEqual(refused);
    const fields = { ...fieldsAt(site), state: await stateOf(browser) };
    expect(await open(fields, 'cross-site')).toEqual([302, '/setting']);
    expect((await site.operator.user.get({ id })).telegram_id).toBe('42');
    browser.become(undefined);
    const script = await browser.get(`/api/oauth/telegram/bind?${query(fieldsAt(site))}`);
    expect(script.json).toMatchObject({ success: false, code: 'oauth_state_invalid' });
    expect((await site.browser().get('/api/oauth/telegram/bind')).status).toBe(401);
  });
});

describe('an e-mail address', () => {
  const servers: MailServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  test('is bound by its mailed code, once, and replaces the one before', async () => {
    const site = await startSignInSite();
    const mails = await startMailServer();
    servers.push(mails);
    await site.set({ SMTPServer: '127.0.0.1', SMTPPort: mails.port, SMTPFrom: 'gate@example.org' });
    const [annId, bobId] = [await site.addUser('ann'), await site.addUser('bob')];
    const [ann, bob] = [site.browser(), site.browser()];
    await ann.logIn('ann');
    await bob.logIn('bob');
    const codeFor = async (email: string) => {
      site.clock.move(31_000);
      expect((await ann.get(`/api/verification?email=${email}`)).json['success']).toBe(true);
      return /\d{6}/.exec(mails.mails.at(-1)?.body ?? '')?.[0] ?? '';
    };
    const bind = (browser: typeof ann, email: string, code: string) =>
      browser.post('/api/oauth/email/bind', { email, code });
    expect(codeIn(await bind(ann, '', '1'))).toBe('email_and_code_required');
    const code = await codeFor('ann@example.org');
    expect(codeIn(await bind(ann, 'ann@example.org', '000000x'))).toBe('verification_code_invalid');
    expect((await bind(ann, 'Ann@Example.org', code)).json['success']).toBe(true);
    expect(await site.operator.user.get({ id: annId })).toMatchObject({ email: 'ann@example.org' });
    expect(codeIn(await bind(bob, 'ann@example.org', code))).toBe('verification_code_invalid');
    // A code that was mailed before somebody else bound the address.
    const early = await codeFor('new@example.org');
    await site.app.storage.users.update(bobId, { email: 'new@example.org', emailVerified: true });
    expect(codeIn(await bind(ann, 'new@example.org', early))).toBe('email_taken');
    expect(
      (await bind(ann, 'other@example.org', await codeFor('other@example.org'))).json['success'],
    ).toBe(true);
    await ann.get('/api/user/logout');
    expect(
      (
        await site
          .browser()
          .post('/api/user/login', { username: 'other@example.org', password: 'a long password' })
      ).json['success'],
    ).toBe(true);
    expect((await site.browser().post('/api/oauth/email/bind', {})).status).toBe(401);
  });
});

describe('unbinding', () => {
  test('the last way to sign in stays, however many are unbound at once', async () => {
    const site = await startSignInSite();
    const browser = site.browser();
    await site.visit(browser, 'github');
    expect(codeIn(await browser.delete('/api/turnpike/self/identities/github'))).toBe(
      'last_sign_in_method',
    );
    site.oidc.setUser({ sub: 'u-1' });
    expect((await site.visit(browser, 'oidc')).json['message']).toBe('bind');
    const both = await Promise.all(
      ['github', 'oidc'].map((type) => browser.delete(`/api/turnpike/self/identities/${type}`)),
    );
    expect(both.map((reply) => codeIn(reply)).sort()).toEqual(['last_sign_in_method', undefined]);
    expect((await browser.get('/api/turnpike/self/identities')).json['data']).toHaveLength(1);
    expect(codeIn(await browser.delete('/api/turnpike/self/identities/telegram'))).toBe(
      'not_found',
    );
    expect(codeIn(await browser.delete('/api/turnpike/self/identities/password'))).toBe(
      'not_found',
    );
  });

  test('a password counts only where it signs in', async () => {
    const site = await startSignInSite();
    await site.addUser('ann');
    const browser = site.browser();
    await browser.logIn('ann');
    await site.visit(browser, 'github');
    await site.set({ PasswordLoginEnabled: false });
    expect(codeIn(await browser.delete('/api/turnpike/self/identities/github'))).toBe(
      'last_sign_in_method',
    );
    await site.set({ PasswordLoginEnabled: true });
    expect((await browser.delete('/api/turnpike/self/identities/github')).json['success']).toBe(
      true,
    );
    const { items } = await site.operator.audit.list({ p: 1, page_size: 10 });
    expect(items.slice(0, 10).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.bind', 'user.unbind']),
    );
    // The identity is free again.
    expect((await site.visit(site.browser(), 'github')).json['data']).toMatchObject({
      username: expect.stringMatching(/^github_/),
    });
  });

  test('a provider is switched on only with its secrets', async () => {
    const site = await startSignInSite();
    await site.set({ GitHubOAuthEnabled: false });
    await site.operator.option.reset({ key: 'GitHubClientSecret' });
    const reply = site.operator.option.set({ key: 'GitHubOAuthEnabled', value: true });
    await expect(reply).rejects.toMatchObject({ code: 'option_needs' });
  });

  test('a demo site binds nothing', async () => {
    const site = await startSignInSite();
    await site.addUser('ann');
    const browser = site.browser();
    await browser.logIn('ann');
    await site.set({ DemoSiteEnabled: true });
    expect(codeIn(await site.visit(browser, 'github'))).toBe('demo_site');
  });
});

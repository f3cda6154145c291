/**
 * The mail about a change of the account, and its link "it was not me"
 * (docs/rules/accounts.md#not-me).
 */
import { afterEach, describe, expect, test } from 'vitest';
import { fromBase32, totpCode } from '../../src/core/accounts/factors/totp.ts';
import { Secret } from '../../src/core/kernel/secret.ts';
import { startTestServer, type TestServer } from '../server/http.ts';
import { testPassword } from '../support/app.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { createSoftwarePasskey } from '../support/software-passkey.ts';

const origin = 'https://gw.example';
const own = '/api/turnpike/self/second-factor';
const servers: MailServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Site extends TestServer {
  readonly mails: MailServer;
  readonly ann: number;
  /** Somebody who found ann's browser signed in a moment ago. */
  readonly eve: Record<string, string>;
  call(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<unknown>;
  /** The token of the n-th mail. */
  tokenOf(count: number): Promise<string>;
  disavow(token: string): Promise<unknown>;
}

async function start(language = 'en'): Promise<Site> {
  const server = await startTestServer();
  const mails = await startMailServer();
  servers.push(mails);
  const options = {
    SMTPServer: '127.0.0.1',
    SMTPPort: mails.port,
    SMTPFrom: 'gate@example.org',
    ServerAddress: origin,
  };
  for (const [key, value] of Object.entries({
    ...options,
    SystemName: 'Gate',
    SiteLanguage: language,
  }))
    await server.operator.option.set({ key, value });
  const ann = await server.addUser('ann');
  await server.app.storage.users.update(ann, { email: 'ann@example.org', emailVerified: true });
  const eve = await server.signIn('ann');
  const call: Site['call'] = async (method, path, body, headers = eve) => {
    const { json } = await server.send(method, path, { headers, ...(body && { body }) });
    return json.success === true ? (json.data ?? 'done') : json.code;
  };
  return {
    ...server,
    mails,
    ann,
    eve,
    call,
    tokenOf: async (count) =>
      /#token=([\w-]{43})/.exec((await mails.received(count))[count - 1]?.body ?? '')?.[1] ?? '',
    disavow: async (token) => {
      const { json } = await server.send('POST', '/api/turnpike/not-me', { body: { token } });
      return json.success === true ? json.data : json.code;
    },
  };
}

async function mailCode(
  { app, clock }: Site,
  purpose: 'email' | 'phone',
  subject: string,
): Promise<string> {
  const { hash, put } = app.storage.verificationCodes;
  const key = `${purpose}:${subject}`;
  const expiresAt = Math.floor(clock.now() / 1000) + 600;
  await put({
    purpose,
    subjectHash: hash(key),
    codeHash: hash(`${key}:123456`),
    expiresAt,
    payload: '',
  });
  return '123456';
}
const bindEmail = async (site: Site, email: string, headers = site.eve) =>
  site.call(
    'POST',
    '/api/oauth/email/bind',
    { email, code: await mailCode(site, 'email', email) },
    headers,
  );
const isSignedIn = ({ call }: Site, headers: Record<string, string>) =>
  call('GET', '/api/user/self', undefined, headers).then((data) => typeof data === 'object');
const logIn = ({ send }: Site, password: string) =>
  send('POST', '/api/user/login', { body: { username: 'ann', password } }).then(
    ({ json }) => json.code ?? 'in',
  );

describe('"it was not me"', () => {
  test('ends logins, password and system access token, once, and mails a link for a new password', async () => {
    const site = await start();
    expect(await site.call('PUT', '/api/user/self', { password: 'the password of eve' })).toBe(
      'done',
    );
    const systemToken = String(await site.call('POST', '/api/user/token'));
    const byToken = { authorization: systemToken, 'new-api-user': String(site.ann) };
    const token = await site.tokenOf(1);
    // Opening the link only shows a page.
    await site.send('GET', `/not-me?token=${token}`, { headers: site.eve });
    expect((await site.send('GET', `/api/turnpike/not-me?token=${token}`)).status).toBe(404);
    expect(await isSignedIn(site, site.eve)).toBe(true);

    expect(await site.disavow(token)).toEqual({ reset_mailed: true });
    expect([await isSignedIn(site, site.eve), await isSignedIn(site, byToken)]).toEqual([
      false,
      false,
    ]);
    expect([await logIn(site, 'the password of eve'), await logIn(site, testPassword)]).toEqual([
      'wrong_credentials',
      'wrong_credentials',
    ]);
    const [, , reset] = await site.mails.received(3);
    expect([reset?.to, reset?.headers['subject']]).toEqual([
      ['ann@example.org'],
      'Reset your password for Gate',
    ]);
    const link = new URL(
      /https:\S+?(?=")/.exec(reset?.body ?? '')?.[0].replaceAll('&amp;', '&') ?? '',
    );
    const password = await site.call(
      'POST',
      '/api/user/reset',
      Object.fromEntries(link.searchParams),
      {},
    );
    expect(await logIn(site, String(password))).toBe('in');
    expect(await site.disavow(token)).toBe('not_me_link_invalid');
    const { items } = await site.operator.audit.list({ action: 'user.disavow' });
    expect(items.map(({ target, detail }) => [target, JSON.parse(detail)])).toEqual([
      [String(site.ann), { way: 'password' }],
    ]);
  });

  test('is void when unknown, after three days, and for an account that is gone', async () => {
    const site = await start();
    await site.call('PUT', '/api/user/self', { password: 'the password of eve' });
    const token = await site.tokenOf(1);
    for (const wrong of ['', 'x'.repeat(43)])
      expect(await site.disavow(wrong)).toBe('not_me_link_invalid');
    site.clock.move(3 * 24 * 3_600_000);
    expect(await site.disavow(token)).toBe('not_me_link_invalid');
    await site.operator.user.update({ id: site.ann, password: 'another long password' });
    const second = await site.tokenOf(2);
    await site.operator.user.manage({ id: site.ann, action: 'delete' });
    expect(await site.disavow(second)).toBe('not_me_link_invalid');
  });

  test('of two at once one acts', async () => {
    const site = await start();
    await site.call('PUT', '/api/user/self', { password: 'the password of eve' });
    const token = await site.tokenOf(1);
    const replies = await Promise.all([site.disavow(token), site.disavow(token)]);
    expect(replies.filter((reply) => reply === 'not_me_link_invalid')).toHaveLength(1);
  });

  test('brings back the address, so that its owner sets the new password; links mailed to another one are void', async () => {
    const site = await start();
    expect(await bindEmail(site, 'eve@example.org')).toBe('done');
    site.clock.move(1000);
    expect(await bindEmail(site, 'eve2@example.org')).toBe('done');
    site.clock.move(1000);
    await site.call('PUT', '/api/user/self', { password: 'the password of eve' });
    const sent = await site.mails.received(3);
    // The first change is mailed to the owner, the others to whoever took the account over.
    expect(sent.map(({ to }) => to[0])).toEqual([
      'ann@example.org',
      'eve@example.org',
      'eve2@example.org',
    ]);
    const [owners, eves, eves2] = [
      await site.tokenOf(1),
      await site.tokenOf(2),
      await site.tokenOf(3),
    ];
    expect(await site.disavow(owners)).toEqual({ reset_mailed: true });
    expect((await site.mails.received(4))[3]?.to).toEqual(['ann@example.org']);
    expect(await site.operator.user.get({ id: site.ann })).toMatchObject({
      email: 'ann@example.org',
    });
    for (const token of [eves, eves2])
      expect(await site.disavow(token)).toBe('not_me_link_invalid');
    expect(await site.operator.user.get({ id: site.ann })).toMatchObject({
      email: 'ann@example.org',
    });
  });

  test('leaves no address where the former one belongs to another account now', async () => {
    const site = await start();
    await bindEmail(site, 'eve@example.org');
    const token = await site.tokenOf(1);
    await site.app.storage.users.update(await site.addUser('bob'), {
      email: 'ann@example.org',
      emailVerified: true,
    });
    await site.disavow(token);
    expect(await site.operator.user.get({ id: site.ann })).toMatchObject({ email: '' });
  });

  test('takes a phone, an identity, an app, a passkey and recovery codes away again, and brings former ones back', async () => {
    const site = await start();
    const { storage } = site.app;
    const phone = '+8613800000001';
    await storage.users.update(site.ann, { phone: '+8613900000000', phoneVerifiedAt: 1 });
    await site.call('POST', '/api/user/phone/bind', {
      phone,
      code: await mailCode(site, 'phone', phone),
    });
    await site.disavow(await site.tokenOf(1));
    expect(await storage.users.find(site.ann)).toMatchObject({ phone: '+8613900000000' });

    let mail = 2; // The second one is that of the reset.
    const again = async (change: (headers: Record<string, string>) => Promise<unknown>) => {
      site.clock.move(31_000);
      await storage.users.update(site.ann, {
        passwordHash: (await storage.users.find(1))?.passwordHash ?? new Secret(''),
      });
      const headers = await site.signIn('ann');
      await site.mails.received(mail);
      await change(headers);
      mail += 2;
      expect(await site.disavow(await site.tokenOf(mail - 1))).toEqual({ reset_mailed: true });
      await site.mails.received(mail);
    };
    const passkeyOf = async (headers: Record<string, string>) => {
      const options = (await site.call('POST', `${own}/passkey/options`, {}, headers)) as Record<
        string,
        unknown
      >;
      const body = { passkey: createSoftwarePasskey().register(options, origin), name: 'eve' };
      return site.call('POST', `${own}/passkey`, body, headers);
    };
    await again(passkeyOf);
    expect([
      await storage.secondFactors.has(site.ann),
      await storage.secondFactors.countRecoveryCodes(site.ann),
    ]).toEqual([false, 0]);
    await again(async (headers) => {
      const { secret } = (await site.call('POST', `${own}/totp`, {}, headers)) as {
        secret: string;
      };
      const code = totpCode(fromBase32(secret), Math.floor(site.clock.now() / 30_000));
      await site.call('POST', `${own}/totp/confirm`, { code }, headers);
    });
    expect([
      await storage.secondFactors.has(site.ann),
      await storage.secondFactors.countRecoveryCodes(site.ann),
    ]).toEqual([false, 0]);
    await storage.secondFactors.insertPasskey({
      userId: site.ann,
      credentialId: 'own',
      publicKey: 'a',
      counter: 0,
      transports: '',
      rpId: 'gw.example',
      name: 'ann’s own',
      backedUp: false,
      createdAt: 1,
    });
    const session = await site.app.accounts.sessions.start(site.ann, 'passkey', {
      ip: '',
      userAgent: '',
    });
    const headers = { cookie: `session=${session}`, 'new-api-user': String(site.ann) };
    site.clock.move(31_000);
    await site.call('POST', `${own}/recovery-codes`, {}, headers);
    await site.disavow(await site.tokenOf(mail + 1));
    expect(await storage.secondFactors.countRecoveryCodes(site.ann)).toBe(0);
    expect(await storage.secondFactors.passkeys(site.ann)).toMatchObject([{ name: 'ann’s own' }]);
  });
});

describe('the mail', () => {
  test.each([
    ['en', 'Gate: the password was changed', 'By: your account', 'It was not me'],
    ['zh', 'Gate：密码已修改', '操作者：你的账号', '这不是我'],
  ])('is in the language of the site: %s', async (language, subject, by, link) => {
    const site = await start(language);
    await site.call('PUT', '/api/user/self', { password: 'another long password' });
    const [mail] = await site.mails.received(1);
    expect(mail?.headers['subject']).toBe(subject);
    for (const part of [
      by,
      `>${link}<`,
      '127.0.0.1',
      '2026-11-20 12:00',
      'ann',
      `${origin}/not-me#token=`,
    ])
      expect(mail?.body).toContain(part);
  });

  test('says who it was: an administrator, somebody at the server, the link for a new password', async () => {
    const site = await start();
    await site.addUser('adm', { role: 10 });
    const adm = await site.signIn('adm');
    await site.call('PUT', '/api/user/', { id: site.ann, password: 'another long password' }, adm);
    expect((await site.mails.received(1))[0]?.body).toContain('By: administrator adm');
    await site.operator.user.update({ id: site.ann, password: testPassword });
    expect((await site.mails.received(2))[1]?.body).toContain(
      'By: somebody with access to the server',
    );
    await site.send('GET', '/api/reset_password?email=ann@example.org');
    const address =
      /https:\S+?(?=")/
        .exec((await site.mails.received(3))[2]?.body ?? '')?.[0]
        .replaceAll('&amp;', '&') ?? '';
    const eve = await site.signIn('ann');
    await site.call(
      'POST',
      '/api/user/reset',
      Object.fromEntries(new URL(address).searchParams),
      {},
    );
    expect((await site.mails.received(4))[3]?.body).toContain(
      'By: somebody who opened the mailed link',
    );
    expect(await isSignedIn(site, eve)).toBe(false);
    expect((await site.operator.audit.list({ action: 'user.password_reset' })).total).toBe(1);
  });

  test('has advice instead of a link where the site has no address', async () => {
    const site = await start();
    await site.operator.option.reset({ key: 'ServerAddress' });
    await site.call('PUT', '/api/user/self', { password: 'another long password' });
    const [mail] = await site.mails.received(1);
    expect(mail?.body).not.toContain('href');
    expect(mail?.body).toContain('tell the administrator');
  });

  test('is not sent to addresses that are not verified, and its failure stops nothing', async () => {
    const site = await start();
    await site.app.storage.users.update(site.ann, { emailVerified: false });
    expect(await site.call('PUT', '/api/user/self', { password: 'another long password' })).toBe(
      'done',
    );
    await site.app.storage.users.update(site.ann, { emailVerified: true });
    await site.operator.option.set({ key: 'SMTPPort', value: 1 });
    expect(await site.call('PUT', '/api/user/self', { password: testPassword })).toBe('done');
    await site.operator.option.set({ key: 'SMTPPort', value: site.mails.port });
    await site.call('PUT', '/api/user/self', { password: 'a third long password' });
    expect(await site.mails.received(1)).toHaveLength(1);
    await site.operator.option.set({ key: 'SMTPServer', value: '' });
    expect(await site.call('PUT', '/api/user/self', { password: testPassword })).toBe('done');
  });
});

describe('the old password proves as much as a confirmation', () => {
  test('to an old session and to a system access token; a wrong one proves nothing', async () => {
    const site = await start();
    const token = String(await site.call('POST', '/api/user/token'));
    const byToken = { authorization: token, 'new-api-user': String(site.ann) };
    site.clock.move(301_000);
    const change = (original_password: string | undefined, headers?: Record<string, string>) =>
      site.call(
        'PUT',
        '/api/user/self',
        { password: 'another long password', original_password },
        headers,
      );
    expect(await change('wrong')).toBe('original_password_wrong');
    expect(await change('wrong', byToken)).toBe('original_password_wrong');
    // Clients that have no such field send it empty.
    expect(await change('')).toBe('step_up_required');
    expect(await change('', byToken)).toBe('session_required');
    expect(await change(testPassword)).toBe('done');
    expect(await isSignedIn(site, byToken)).toBe(false);
  });
});

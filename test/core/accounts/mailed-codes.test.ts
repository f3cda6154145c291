/**
 * Registration with a mailed code and password resets by a mailed link, through a real SMTP server.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { codeOf, createTestApp, type TestApp, testPassword } from '../../support/app.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../../support/mail-server.ts';

const servers: MailServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function setUp(): Promise<TestApp & { mails: MailServer }> {
  const test = await createTestApp();
  const mails = await startMailServer();
  servers.push(mails);
  const options = {
    SMTPServer: '127.0.0.1',
    SMTPPort: mails.port,
    SMTPFrom: 'gate@example.org',
    SystemName: 'T & co',
    ServerAddress: 'https://gate.example',
    EmailVerificationEnabled: true,
  };
  for (const [key, value] of Object.entries(options))
    await test.operator.option.set({ key, value });
  return { ...test, mails };
}

const codeIn = (mail: ReceivedMail | undefined) => /\d{6}/.exec(mail?.body ?? '')?.[0] ?? 'none';
const linkIn = (mail: ReceivedMail | undefined) =>
  new URL((/href="([^"]+)"/.exec(mail?.body ?? '')?.[1] ?? 'x:').replaceAll('&amp;', '&'));
const pause = 31_000;
const account = (username: string, email: string, verification_code: string) => ({
  username,
  password: testPassword,
  email,
  verification_code,
});

describe('registration with a verified address', () => {
  test('the mailed code is good for one account, which signs in by the address', async () => {
    const { operator, app, mails } = await setUp();
    expect(await codeOf(operator.auth.register({ username: 'ann', password: testPassword }))).toBe(
      'email_and_code_required',
    );
    await operator.auth.sendCode({ email: ' Ann@Example.org ' });
    const [mail] = mails.mails;
    expect(mail).toMatchObject({ to: ['ann@example.org'], from: 'gate@example.org' });
    expect(mail?.headers['subject']).toBe('Your verification code for T & co');
    expect(mail?.body).toContain('T &amp; co');
    const code = codeIn(mail);
    // A taken name does not use the code up.
    expect(await codeOf(operator.auth.register(account('root', 'ann@example.org', code)))).toBe(
      'username_taken',
    );
    await operator.auth.register(account('ann', 'Ann@example.org', code));
    expect(await codeOf(operator.auth.register(account('bob', 'ann@example.org', code)))).toBe(
      'verification_code_invalid',
    );
    const user = await app.accounts.signIn('password', {
      username: 'ann@example.org',
      password: testPassword,
    });
    expect(user).toMatchObject({ username: 'ann', email: 'ann@example.org', emailVerified: true });
  });

  test('the address is not stored while verification is off', async () => {
    const { operator } = await setUp();
    await operator.option.set({ key: 'EmailVerificationEnabled', value: false });
    await operator.auth.register(account('ann', 'ann@example.org', '1'));
    expect((await operator.user.search({ keyword: 'ann' })).items).toMatchObject([
      { username: 'ann', email: '' },
    ]);
  });

  test('wrong, foreign, expired and replaced codes, and the sixth try, are refused', async () => {
    const { operator, mails, clock } = await setUp();
    const send = async (email: string) => {
      clock.move(pause);
      await operator.auth.sendCode({ email });
      return codeIn(mails.mails.at(-1));
    };
    const refused = async (email: string, code: string) =>
      expect(await codeOf(operator.auth.register(account('ann', email, code)))).toBe(
        'verification_code_invalid',
      );
    const first = await send('a@example.org');
    await refused('b@example.org', first);
    const second = await send('a@example.org');
    if (first !== second) await refused('a@example.org', first);
    const expired = await send('a@example.org');
    clock.move(10 * 60_000);
    await refused('a@example.org', expired);
    const last = await send('a@example.org');
    await Promise.all(
      ['x', 'x1', 'x2', 'x3', 'x4'].map((wrong) => refused('a@example.org', wrong)),
    );
    await refused('a@example.org', last);
    await operator.auth.register(account('ann', 'a@example.org', await send('a@example.org')));
  });

  test('of two registrations with one address or one name exactly one succeeds', async () => {
    const { operator, mails, clock } = await setUp();
    await operator.auth.sendCode({ email: 'a@example.org' });
    const code = codeIn(mails.mails[0]);
    const sameAddress = ['ann', 'bob', 'carl'].map((name) =>
      codeOf(operator.auth.register(account(name, 'a@example.org', code))),
    );
    expect((await Promise.all(sameAddress)).sort()).toEqual([
      'it did not fail',
      'verification_code_invalid',
      'verification_code_invalid',
    ]);
    clock.move(pause);
    for (const email of ['b@example.org', 'c@example.org']) await operator.auth.sendCode({ email });
    const [, b, c] = mails.mails;
    const sameName = [
      codeOf(operator.auth.register(account('dora', 'b@example.org', codeIn(b)))),
      codeOf(operator.auth.register(account('Dora', 'c@example.org', codeIn(c)))),
    ];
    expect((await Promise.all(sameName)).sort()).toEqual(['it did not fail', 'username_taken']);
    expect((await operator.user.list()).total).toBe(3);
  });

  test('an address with an account gets a mail that says so, and the same reply', async () => {
    const { operator, app, addUser, mails } = await setUp();
    await app.storage.users.update(await addUser('ann'), {
      email: 'ann@example.org',
      emailVerified: true,
    });
    expect(await operator.auth.sendCode({ email: 'ann@example.org' })).toEqual(
      await operator.auth.sendCode({ email: 'new@example.org' }),
    );
    expect(mails.mails[0]?.headers['subject']).toBe('You already have an account at T & co');
    expect(codeIn(mails.mails[0])).toBe('none');
  });

  test('one mail in 30 seconds to an address; one that failed does not count', async () => {
    const { operator, mails, clock } = await setUp();
    await operator.option.set({ key: 'SMTPPort', value: 1 });
    expect(await codeOf(operator.auth.sendCode({ email: 'a@example.org' }))).toBe('mail_failed');
    await operator.option.set({ key: 'SMTPPort', value: mails.port });
    await operator.auth.sendCode({ email: 'a@example.org' });
    expect(await codeOf(operator.auth.sendCode({ email: 'A@example.org' }))).toBe('mail_too_soon');
    await operator.auth.sendCode({ email: 'b@example.org' });
    clock.move(30_001);
    await operator.auth.sendCode({ email: 'a@example.org' });
    expect(mails.mails).toHaveLength(3);
  });

  test.each([
    ['', 'mail_address_invalid'],
    ['no address', 'mail_address_invalid'],
    ['a@example.org,b@example.org', 'mail_address_invalid'],
    [`${'a'.repeat(250)}@x.org`, 'mail_address_invalid'],
    ['a@sub.gmail.com', 'email_domain_forbidden'],
    ['a@example.org', 'email_domain_forbidden'],
    ['a+b@gmail.com', 'email_alias_forbidden'],
    ['a.b@GMAIL.com', 'email_alias_forbidden'],
    ['ab@GMAIL.com', 'it did not fail'],
  ])('%s: %s', async (email, code) => {
    const { operator, mails } = await setUp();
    for (const key of ['EmailDomainRestrictionEnabled', 'EmailAliasRestrictionEnabled']) {
      await operator.option.set({ key, value: true });
    }
    expect(await codeOf(operator.auth.sendCode({ email }))).toBe(code);
    expect(mails.mails).toHaveLength(code === 'it did not fail' ? 1 : 0);
  });

  test('without an SMTP server nothing is sent, and the caller is told', async () => {
    const { operator, app } = await setUp();
    // As an import may leave it: the option itself cannot be cleared while verification is on.
    await app.storage.options.set({ key: 'SMTPServer', value: '', hidden: false });
    await app.site.options.refresh();
    expect(await codeOf(operator.auth.sendCode({ email: 'a@example.org' }))).toBe(
      'mail_not_configured',
    );
    expect(await codeOf(operator.auth.requestReset({ email: 'a@example.org' }))).toBe(
      'mail_not_configured',
    );
  });
});

describe('password reset', () => {
  const withAnn = async () => {
    const site = await setUp();
    const id = await site.addUser('ann');
    await site.app.storage.users.update(id, { email: 'ann@example.org', emailVerified: true });
    const link = async () => {
      site.clock.move(pause);
      await site.operator.auth.requestReset({ email: 'Ann@example.org' });
      await site.app.accounts.reset.settled();
      return linkIn(site.mails.mails.at(-1));
    };
    const reset = (token: string | null, email = 'ann@example.org') =>
      site.operator.auth.reset({ email, token: token ?? '' });
    const signIn = (password: string) =>
      site.app.accounts.signIn('password', { username: 'ann', password, ip: '203.0.113.1' });
    return { ...site, id, link, reset, signIn };
  };

  test('the link gives a new password once, and ends sessions, system token and login lock', async () => {
    const { app, id, link, reset, signIn, as } = await withAnn();
    const session = await app.accounts.sessions.start(id, 'password', { ip: '', userAgent: '' });
    await (await as(id)).self.systemToken();
    for (let attempt = 0; attempt < 11; attempt += 1) await codeOf(signIn('wrong password'));
    expect(await codeOf(signIn(testPassword))).toBe('account_locked');
    const url = await link();
    expect(url.origin + url.pathname).toBe('https://gate.example/reset');
    expect(url.searchParams.get('email')).toBe('ann@example.org');
    const password = await reset(url.searchParams.get('token'));
    expect(password).toMatch(/^[A-Za-z0-9]{12}$/);
    expect((await signIn(password)).id).toBe(id);
    expect(await codeOf(signIn(testPassword))).toBe('wrong_credentials');
    expect(await app.accounts.sessions.find(session)).toBeNull();
    expect((await app.accounts.own.get(id)).accessTokenHash).toBeNull();
    expect(await codeOf(reset(url.searchParams.get('token')))).toBe('reset_link_invalid');
    expect((await signIn(password)).id).toBe(id);
  });

  test('the reply does not tell whether an account has the address; only an active one gets a mail', async () => {
    const { operator, app, mails, addUser } = await withAnn();
    const banned = await addUser('banned');
    await app.storage.users.update(banned, { email: 'banned@example.org', emailVerified: true });
    await operator.user.manage({ id: banned, action: 'disable' });
    const open = await addUser('open');
    await app.storage.users.update(open, { email: 'open@example.org' });
    for (const name of ['ann', 'nobody', 'banned', 'open']) {
      expect(await codeOf(operator.auth.requestReset({ email: `${name}@example.org` }))).toBe(
        'it did not fail',
      );
      expect(await codeOf(operator.auth.requestReset({ email: `${name}@example.org` }))).toBe(
        'mail_too_soon',
      );
    }
    await app.accounts.reset.settled();
    expect(mails.mails.map(({ to }) => to)).toEqual([['ann@example.org']]);
  });

  test('wrong, expired and replaced links, the sixth try and a link of another address are refused', async () => {
    const { link, reset, clock, signIn } = await withAnn();
    const refused = async (token: string | null, email?: string) =>
      expect(await codeOf(reset(token, email))).toBe('reset_link_invalid');
    const first = (await link()).searchParams.get('token');
    await refused(first, 'bob@example.org');
    await refused('');
    const second = (await link()).searchParams.get('token');
    await refused(first);
    clock.move(10 * 60_000);
    await refused(second);
    const third = (await link()).searchParams.get('token');
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((wrong) => refused(wrong)));
    await refused(third);
    await signIn(testPassword);
  });

  test('of two uses at once one gets a password', async () => {
    const { link, reset, signIn } = await withAnn();
    const token = (await link()).searchParams.get('token');
    const results = await Promise.allSettled([reset(token), reset(token)]);
    const passwords = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    expect(passwords).toHaveLength(1);
    await signIn(passwords[0] ?? '');
  });

  test('a link is void once its account was banned or gave up the address', async () => {
    const { link, reset, operator, app, id, addUser } = await withAnn();
    const token = (await link()).searchParams.get('token');
    await operator.user.manage({ id, action: 'disable' });
    expect(await codeOf(reset(token))).toBe('reset_link_invalid');
    await operator.user.manage({ id, action: 'enable' });
    await app.storage.users.update(id, { email: '', emailVerified: false });
    await app.storage.users.update(await addUser('bob'), {
      email: 'ann@example.org',
      emailVerified: true,
    });
    expect(await codeOf(reset(token))).toBe('reset_link_invalid');
  });

  test('links need the address of the site', async () => {
    const { operator, mails } = await withAnn();
    await operator.option.set({ key: 'ServerAddress', value: '' });
    for (const name of ['ann', 'nobody']) {
      expect(await codeOf(operator.auth.requestReset({ email: `${name}@example.org` }))).toBe(
        'server_address_missing',
      );
    }
    expect(mails.mails).toHaveLength(0);
  });
});

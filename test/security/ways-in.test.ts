// Covers src/core/accounts/factors.
/**
 * Every new way into an account needs a fresh proof, is written down, ends the other logins where a
 * password or a factor changes, and is mailed to the owner (docs/rules/accounts.md#ways-in): each
 * path × {nobody, system access token, old session, confirmed session}.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { fromBase32, totpCode } from '../../src/core/accounts/factors/totp.ts';
import { hashSecret } from '../../src/core/accounts/sessions.ts';
import type { Endpoint } from '../../src/core/contract/endpoint.ts';
import { api } from '../../src/core/contract/index.ts';
import type { HttpReply } from '../server/http.ts';
import {
  botToken,
  type SignInSite,
  startSignInSite,
  type TestBrowser,
} from '../server/sign-in-site.ts';
import { temporaryDatabase, watchRows } from '../support/database-rows.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { signByTelegram } from '../support/sign-in-providers.ts';
import { createSoftwarePasskey } from '../support/software-passkey.ts';

const calls: readonly Endpoint[] = Object.values(api).flatMap(
  (group) => Object.values(group) as Endpoint[],
);
const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`;

/** A request of the one whose account, or whose user's account, changes. */
interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Opened as a page: without the user-id header. */
  readonly asPage?: boolean;
}

interface Site extends SignInSite {
  readonly mails: MailServer;
  /** Signed in lately, with a password. */
  readonly ann: TestBrowser;
  readonly annId: number;
}

interface Path {
  /** Who sends it: ann, or an administrator or root about ann (about the own account: root). */
  readonly by?: 'adm' | 'root';
  /** Arranges what must be there before, with a fresh proof, and returns the request. */
  readonly request: (site: Site, browser: TestBrowser) => Promise<Request> | Request;
  /** Of the row in the audit log; absent: the call only prepares a change. */
  readonly action?: string;
  /** A part of the mail's subject; absent: as `action`. */
  readonly mail?: string;
  /** How many changes, each with its mail, are made before. */
  readonly before?: number;
  /** The other logins of the account end. */
  readonly endsOthers?: boolean;
  /** All of them end, and the mail has no link. */
  readonly endsAll?: boolean;
}

const own = '/api/turnpike/self/second-factor';
const phone = '+8613800000001';
const now = (site: SignInSite) => Math.floor(site.clock.now() / 1000);
const stateOf = async (browser: TestBrowser) =>
  String((await browser.get('/api/oauth/state')).json['data']);

/** A code as it was sent to an address or a phone. */
async function sendCode(
  { app, clock }: SignInSite,
  purpose: 'email' | 'phone',
  subject: string,
): Promise<string> {
  const { hash, put } = app.storage.verificationCodes;
  const expiresAt = Math.floor(clock.now() / 1000) + 600;
  const key = `${purpose}:${subject}`;
  await put({
    purpose,
    subjectHash: hash(key),
    codeHash: hash(`${key}:123456`),
    expiresAt,
    payload: '',
  });
  return '123456';
}

async function callback(
  site: Site,
  browser: TestBrowser,
  type: 'github' | 'linuxdo' | 'oidc',
): Promise<Request> {
  const begun = await browser.begin(type);
  if (type === 'oidc') {
    site.oidc.setUser({ sub: 'sub-of-ann' });
    return { path: `/api/oauth/oidc${(await site.oidc.consent(begun.href)).search}` };
  }
  return {
    path: `/api/oauth/${type}?code=${site[type].newCode()}&state=${begun.searchParams.get('state')}`,
  };
}

async function telegramFields(site: Site, browser: TestBrowser): Promise<URLSearchParams> {
  const fields = signByTelegram(botToken, {
    id: '42',
    first_name: 'Ann',
    auth_date: String(now(site)),
  });
  return new URLSearchParams({ ...fields, state: await stateOf(browser) });
}

const insertIdentity = ({ app, annId }: Site, provider: string) =>
  app.storage.userIdentities.insert({ userId: annId, provider, subject: '1', createdAt: 1 });

async function beginTotp(site: Site, browser: TestBrowser): Promise<string> {
  const begun = await browser.post(`${own}/totp`);
  const { secret } = begun.json['data'] as unknown as { secret: string };
  return totpCode(fromBase32(secret), Math.floor(site.clock.now() / 30_000));
}

async function addTotp(site: Site, browser: TestBrowser): Promise<void> {
  expect(
    (await browser.post(`${own}/totp/confirm`, { code: await beginTotp(site, browser) })).json[
      'success'
    ],
  ).toBe(true);
}

const origin = 'http://localhost:3000';
async function answerPasskey(site: Site, browser: TestBrowser): Promise<object> {
  await site.set({ ServerAddress: origin });
  const options = (await browser.post(`${own}/passkey/options`)).json['data'] as unknown as Record<
    string,
    unknown
  >;
  return { passkey: createSoftwarePasskey().register(options, origin), name: 'laptop' };
}

const paths: Readonly<Record<string, Path>> = {
  'PUT /api/user/self': {
    request: () => ({
      method: 'PUT',
      path: '/api/user/self',
      body: { password: 'another long password' },
    }),
    action: 'user.password',
    mail: 'password',
    endsOthers: true,
  },
  'DELETE /api/user/self': {
    request: () => ({ method: 'DELETE', path: '/api/user/self' }),
    action: 'user.remove_self',
    mail: 'account was deleted',
    endsOthers: true,
    endsAll: true,
  },
  'PUT /api/user/ (of a user)': {
    by: 'adm',
    request: ({ annId }) => ({
      method: 'PUT',
      path: '/api/user/',
      body: { id: annId, password: 'another long password' },
    }),
    action: 'user.update',
    mail: 'password',
    endsOthers: true,
  },
  'PUT /api/user/ (of oneself)': {
    by: 'root',
    request: () => ({
      method: 'PUT',
      path: '/api/user/',
      body: { id: 1, password: 'another long password' },
    }),
    action: 'user.update',
    mail: 'password',
    endsOthers: true,
  },
  'GET /api/user/token': {
    request: () => ({ path: '/api/user/token' }),
    action: 'user.system_token',
    mail: 'system access token',
  },
  'GET /api/user/token (by POST)': {
    request: () => ({ method: 'POST', path: '/api/user/token' }),
    action: 'user.system_token',
    mail: 'system access token',
  },
  'GET /api/oauth/state': { request: () => ({ path: '/api/oauth/state' }) },
  'POST /api/turnpike/oauth/begin': {
    request: () => ({
      method: 'POST',
      path: '/api/turnpike/oauth/begin',
      body: { type: 'github' },
    }),
  },
  'GET /api/oauth/:type (github)': {
    request: (site, browser) => callback(site, browser, 'github'),
    action: 'user.bind',
    mail: 'GitHub was linked',
  },
  'GET /api/oauth/:type (linuxdo)': {
    request: (site, browser) => callback(site, browser, 'linuxdo'),
    action: 'user.bind',
    mail: 'LinuxDO was linked',
  },
  'GET /api/oauth/:type (oidc)': {
    request: (site, browser) => callback(site, browser, 'oidc'),
    action: 'user.bind',
    mail: 'OIDC was linked',
  },
  'GET /api/oauth/:type (by POST)': {
    request: async (site, browser) => ({
      ...(await callback(site, browser, 'github')),
      method: 'POST',
    }),
    action: 'user.bind',
    mail: 'GitHub was linked',
  },
  'GET /api/oauth/wechat/bind': {
    request: (site) => ({ path: `/api/oauth/wechat/bind?code=${site.wechat.newCode()}` }),
    action: 'user.bind',
    mail: 'WeChat was linked',
  },
  'GET /api/oauth/telegram/bind': {
    request: async (site, browser) => ({
      path: `/api/oauth/telegram/bind?${await telegramFields(site, browser)}`,
    }),
    action: 'user.bind',
    mail: 'Telegram was linked',
  },
  'GET /api/oauth/telegram/bind (by POST)': {
    request: async (site, browser) => ({
      method: 'POST',
      path: '/api/oauth/telegram/bind',
      body: Object.fromEntries(await telegramFields(site, browser)),
    }),
    action: 'user.bind',
    mail: 'Telegram was linked',
  },
  'GET /api/oauth/telegram/bind (as a page)': {
    request: async (site, browser) => ({
      path: `/api/oauth/telegram/bind?${await telegramFields(site, browser)}`,
      asPage: true,
    }),
    action: 'user.bind',
    mail: 'Telegram was linked',
  },
  'GET /api/oauth/email/bind': {
    request: async (site) => ({
      path: `/api/oauth/email/bind?email=new@example.org&code=${await sendCode(site, 'email', 'new@example.org')}`,
    }),
    action: 'user.bind',
    mail: 'email address',
  },
  'DELETE /api/turnpike/self/identities/:type': {
    request: async (site) => {
      await insertIdentity(site, 'github');
      return { method: 'DELETE', path: '/api/turnpike/self/identities/github' };
    },
    action: 'user.unbind',
    mail: 'GitHub was unlinked',
  },
  'POST /api/user/phone/bind': {
    request: async (site) => ({
      method: 'POST',
      path: '/api/user/phone/bind',
      body: { phone, code: await sendCode(site, 'phone', phone) },
    }),
    action: 'user.phone_bind',
    mail: 'phone number was linked',
  },
  'DELETE /api/turnpike/self/phone': {
    request: async ({ app, annId }) => {
      await app.storage.users.update(annId, { phone, phoneVerifiedAt: 1 });
      return { method: 'DELETE', path: '/api/turnpike/self/phone' };
    },
    action: 'user.phone_unbind',
    mail: 'phone number was unlinked',
  },
  'POST /api/turnpike/self/second-factor/totp': {
    request: () => ({ method: 'POST', path: `${own}/totp` }),
  },
  'POST /api/turnpike/self/second-factor/totp/confirm': {
    request: async (site, browser) => ({
      method: 'POST',
      path: `${own}/totp/confirm`,
      body: { code: await beginTotp(site, browser) },
    }),
    action: 'user.second_factor_add',
    mail: 'authenticator app was set up',
    endsOthers: true,
  },
  'DELETE /api/turnpike/self/second-factor/totp': {
    before: 1,
    request: async (site, browser) => {
      await addTotp(site, browser);
      return { method: 'DELETE', path: `${own}/totp` };
    },
    action: 'user.second_factor_remove',
    mail: 'authenticator app was removed',
    endsOthers: true,
  },
  'POST /api/turnpike/self/second-factor/passkey/options': {
    request: async (site) => {
      await site.set({ ServerAddress: origin });
      return { method: 'POST', path: `${own}/passkey/options` };
    },
  },
  'POST /api/turnpike/self/second-factor/passkey': {
    request: async (site, browser) => ({
      method: 'POST',
      path: `${own}/passkey`,
      body: await answerPasskey(site, browser),
    }),
    action: 'user.second_factor_add',
    mail: 'passkey was added',
    endsOthers: true,
  },
  'DELETE /api/turnpike/self/second-factor/passkey/:id': {
    before: 1,
    request: async (site, browser) => {
      await browser.post(`${own}/passkey`, await answerPasskey(site, browser));
      const [passkey] = await site.app.storage.secondFactors.passkeys(site.annId);
      return { method: 'DELETE', path: `${own}/passkey/${passkey?.id}` };
    },
    action: 'user.second_factor_remove',
    mail: 'passkey was removed',
    endsOthers: true,
  },
  'POST /api/turnpike/self/second-factor/recovery-codes': {
    before: 1,
    request: async (site, browser) => {
      await addTotp(site, browser);
      return { method: 'POST', path: `${own}/recovery-codes` };
    },
    action: 'user.recovery_codes',
    mail: 'recovery codes',
    endsOthers: true,
  },
  'DELETE /api/turnpike/user/:id/second-factor': {
    before: 1,
    by: 'adm',
    request: async (site) => {
      await addTotp(site, site.ann);
      return { method: 'DELETE', path: `/api/turnpike/user/${site.annId}/second-factor` };
    },
    action: 'user.second_factor_reset',
    mail: 'all second factors',
    endsOthers: true,
  },
};

/** Its proof is a mailed token; it has a test of its own below. */
const provenOtherwise = ['POST /api/user/reset'];

/** Calls with fields of such names that set no way into an account that is there already. */
const setsNothing: Readonly<Record<string, string>> = {
  'POST /api/user/login': 'signs in',
  'POST /api/turnpike/sign-in/passkey': 'signs in',
  'POST /api/turnpike/sign-in/second-factor': 'signs in',
  'POST /public/login': 'signs in, or makes a new account',
  'POST /public/email_login': 'signs in',
  'GET /api/oauth/wechat': 'signs in, or makes a new account',
  'GET /api/oauth/telegram/login': 'signs in',
  'POST /api/user/register': 'makes a new account',
  'POST /api/user/': 'makes a new account',
  'POST /api/setup': 'makes the first account',
  'GET /public/message_code': 'sends a code',
  'GET /api/verification': 'sends a code',
  'GET /api/reset_password': 'sends a link',
  'POST /api/turnpike/not-me': 'takes ways away',
  'POST /api/turnpike/self/step-up': 'is the confirmation',
  'PUT /api/user/setting': 'the address of notices signs nobody in',
};
const tellingFields = [
  'password',
  'code',
  'passkey',
  'phone',
  'email',
  'hash',
  'identity',
  'access_token',
  'notification_email',
];

const servers: MailServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(): Promise<Site & { readonly file: string }> {
  const file = temporaryDatabase();
  const site = await startSignInSite({ SQLITE_PATH: file });
  const mails = await startMailServer();
  servers.push(mails);
  await site.set({
    SMTPServer: '127.0.0.1',
    SMTPPort: mails.port,
    SMTPFrom: 'gate@example.org',
    SiteLanguage: 'en',
  });
  const annId = await site.addUser('ann');
  await site.addUser('adm', { role: 10 });
  for (const [id, email] of [
    [annId, 'ann@example.org'],
    [1, 'root@example.org'],
  ] as const)
    await site.app.storage.users.update(id, { email, emailVerified: true });
  const ann = site.browser();
  await ann.logIn('ann');
  return { ...site, file, mails, ann, annId };
}

/** Sends it by this browser, or by other credentials than its cookie. */
async function send(
  site: Site,
  browser: TestBrowser,
  request: Request,
  instead?: Record<string, string>,
): Promise<HttpReply> {
  const { method = 'GET', path, body, asPage } = request;
  if (instead !== undefined)
    return site.send(method, path, { headers: instead, ...(body && { body }) });
  if (!asPage) return browser.call(method, path, body);
  const id = browser.become(undefined);
  const reply = await browser.get(path, { accept: 'text/html' });
  browser.become(id);
  return reply;
}

/** What came of it: the code of a failure, or `done`. */
function outcomeOf({ json, headers, status }: HttpReply): unknown {
  const location = headers.get('location');
  if (location !== null) return /error=(\w+)/.exec(location)?.[1] ?? 'done';
  return status === 401 ? 'not_signed_in' : (json['code'] ?? 'done');
}

/** The call in the name of a row. */
const callIn = (row: string) => row.replace(/ \(.*\)$/, '');
const sessionOf = (browser: TestBrowser) => hashSecret(browser.cookies.get('session') ?? '');

test.each(Object.entries(paths))('%s', async (name, path) => {
  const { by, request, action, mail, before = 0, endsOthers = false, endsAll = false } = path;
  const site = await start();
  const browser = by === undefined ? site.ann : site.browser();
  if (by !== undefined) await browser.logIn(by);
  const actor = Number(
    ((await browser.get('/api/user/self')).json['data'] as unknown as { id: number }).id,
  );
  const sent = await request(site, browser);
  await site.mails.received(before);
  const target = by === 'adm' ? site.annId : actor;
  const other = await site.app.accounts.sessions.start(target, 'password', {
    ip: '',
    userAgent: 'elsewhere',
  });
  const token = 't'.repeat(32);
  await site.app.storage.users.update(actor, { accessTokenHash: hashSecret(token) });
  await site.app.storage.sessions.confirm(sessionOf(browser), now(site) - 301);

  // Without a fresh proof it is refused, and changes nothing.
  const rows = watchRows(site.file);
  const byToken = { authorization: token, 'new-api-user': String(actor) };
  const isOpen = calls.find((call) => nameOf(call) === callIn(name))?.access === 'visitor';
  const outcomes = {
    'an old session': outcomeOf(await send(site, browser, sent)),
    'a system access token': outcomeOf(await send(site, browser, sent, byToken)),
    // For visitors the others are a sign-in, which callbacks.test.ts has.
    nobody: isOpen ? 'not_signed_in' : outcomeOf(await send(site, browser, sent, {})),
  };
  expect(outcomes).toEqual({
    'an old session': 'step_up_required',
    'a system access token': 'session_required',
    nobody: 'not_signed_in',
  });
  expect(rows.changes()).toEqual([]);
  expect(site.mails.mails).toHaveLength(before);

  // The same request succeeds with one. It is written down and mailed.
  await site.app.storage.sessions.confirm(sessionOf(browser), now(site));
  const already = (await site.operator.audit.list({ page_size: 100 })).total;
  expect(outcomeOf(await send(site, browser, sent))).toBe('done');
  expect(await site.app.accounts.sessions.find(other)).toEqual(
    endsOthers ? null : expect.anything(),
  );
  // The one it was made in goes on.
  expect((await browser.get('/api/user/self')).json['success']).toBe(!endsAll);
  const audit = await site.operator.audit.list({ page_size: 100 });
  const added = audit.items
    .slice(0, audit.total - already)
    .map((row) => [row.actor_id, row.action, row.target]);
  expect(added).toEqual(action === undefined ? [] : [[actor, action, String(target)]]);
  if (action === undefined) return;
  const [received] = (await site.mails.received(before + 1)).slice(before);
  const to = target === 1 ? 'root@example.org' : 'ann@example.org';
  expect([received?.to, received?.headers['subject']]).toEqual([
    [to],
    expect.stringContaining(mail ?? action),
  ]);
  if (endsAll) expect(received?.body).not.toContain('not-me');
  else expect(received?.body).toMatch(/\/not-me#token=[\w-]{43}/);
});

describe('the table', () => {
  const listed = Object.keys(paths).map(callIn);

  test('has every call that declares a way into an account', () => {
    const declared = calls.filter(({ waysIn = [] }) => waysIn.length > 0).map(nameOf);
    expect([...new Set([...listed, ...provenOtherwise])].sort()).toEqual(declared.sort());
  });

  test('or such a field sets nothing', () => {
    const telling = calls.filter(({ input }) =>
      Object.keys(input.shape).some((field) => tellingFields.includes(field)),
    );
    const unknown = telling
      .map(nameOf)
      .filter((name) => !listed.includes(name) && !Object.hasOwn(setsNothing, name));
    expect(unknown).toEqual(['POST /api/user/reset']);
  });

  // Handlers reach no repository, so that services are all that can write.
  test('every place that writes such fields is known', () => {
    const writes =
      /\b(users\.(update|insert|replacePassword)|updateUser|userIdentities\.insert|putTotp|confirmTotp|insertPasskey|putRecoveryCodes)\(/;
    const root = fileURLToPath(new URL('../../src/core/', import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const writing = files.filter((name) => {
      // below the gate; before there is an account
      if (/^(storage|import)\//.test(name)) return false;
      return readFileSync(join(root, name), 'utf8')
        .split('\n')
        .some((line) => writes.test(line) && !/^\s*(\/\/|\/?\*)/.test(line));
    });
    expect(writing.sort()).toEqual([
      // Through the gate.
      'accounts/bindings.ts',
      // Makes accounts.
      'accounts/create-account.ts',
      'accounts/factors/own-factors.ts',
      // Takes ways away.
      'accounts/gate/disavowal.ts',
      'accounts/own-account.ts',
      'accounts/password-reset.ts',
      'accounts/phone/phone-binding.ts',
      // Hashes the same password anew.
      'accounts/sign-in/password-method.ts',
      'accounts/sign-in/sign-in.ts',
      'accounts/user-administration.ts',
      // Settings of notices.
      'accounts/user-setting.ts',
      // The first start: INITIAL_ROOT_ACCESS_TOKEN.
      'setup/module.ts',
      'setup/setup.ts',
    ]);
  });

  test('a call that changes a way without declaring it fails', async () => {
    const site = await start();
    const session = { idHash: sessionOf(site.ann), confirmedAt: now(site) };
    const caller = { actor: site.root, proof: session, waysIn: ['phone'] } as const;
    await expect(site.app.accounts.own.makeSystemToken(caller)).rejects.toThrow(
      'without declaring it',
    );
  });
});

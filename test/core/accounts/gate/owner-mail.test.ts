/** What owners are mailed of changed ways into their account, and who is not mailed. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/core/accounts/gate/caller.ts';
import type { ChangedWay } from '../../../../src/core/accounts/gate/changed-way.ts';
import {
  createOwnerMail,
  type OwnerMailDeps,
} from '../../../../src/core/accounts/gate/owner-mail.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import type { User } from '../../../../src/core/storage/storage.ts';
import type { WayIn } from '../../../../src/core/vocabulary/ways-in.ts';
import { createTestClock } from '../../../support/app.ts';

const ann = {
  id: 7,
  username: 'ann <a>',
  email: 'ann@example.org',
  emailVerified: true,
  deletedAt: null,
} as User;
const actorOf = (id: number, username: string) => ({
  id,
  username,
  role: 1,
  group: 'default',
  ip: '192.0.2.1',
});
const self: Pick<Caller, 'actor' | 'proof'> = { actor: actorOf(7, 'ann'), proof: undefined };

let mails: { to: string; subject: string; html: string }[];
let made: unknown[][];
let logged: unknown[][];
let address: string;
let isConfigured: boolean;
let mailed: () => Promise<void>;
beforeEach(() => {
  mails = [];
  made = [];
  logged = [];
  address = 'https://gate.example';
  isConfigured = true;
  mailed = async () => {};
});

function open() {
  const values: Record<string, string> = {
    SiteLanguage: 'en',
    ServerAddress: address,
    SystemName: 'T & co',
  };
  return createOwnerMail({
    options: { get: (key: string) => values[key] } as unknown as OwnerMailDeps['options'],
    mailer: {
      checkConfigured: () => {
        if (!isConfigured) throw new AppError('mail_not_configured');
      },
      send: async (to, subject, html) => {
        await mailed();
        mails.push({ to, subject, html });
      },
    },
    links: {
      make: async (...link) => {
        made.push(link);
        return 'the-token';
      },
    },
    clock: createTestClock(),
    logger: { ...silentLogger, error: (...line: unknown[]) => void logged.push(line) },
  });
}
async function mailOf(
  way: WayIn,
  change: ChangedWay = {},
  caller: Pick<Caller, 'actor' | 'proof'> = self,
  before = ann,
) {
  const mail = open();
  mail.send(before, caller, way, change);
  await mail.settled();
  return mails.pop();
}

test('the mail says what, when, by whom and from where, and has a link for "not me"', async () => {
  const change = { undo: { phone: '+491' } };
  const mail = await mailOf('phone', change);
  expect(mail?.to).toBe('ann@example.org');
  expect(mail?.subject).toBe('T & co: a phone number was linked');
  expect(mail?.html).toContain('Hello ann &lt;a&gt;,');
  expect(mail?.html).toContain('Your account at T &amp; co was changed');
  expect(mail?.html).toContain('Time: 2026-11-20 12:00 (UTC)<br>By: your account<br>');
  expect(mail?.html).toContain('IP address: 192.0.2.1');
  expect(mail?.html).toContain('href="https://gate.example/not-me#token=the-token"');
  expect(mail?.html).toContain('valid for 3 days');
  expect(mail?.html).not.toContain('tell the administrator');
  expect(made).toEqual([[ann, 'phone', change]]);
});

test('without the address of the site there is advice instead of a link', async () => {
  address = '';
  const { html = '' } = (await mailOf('password')) ?? {};
  expect(html).toContain('change your password at once and tell the administrator.');
  expect(html).not.toContain('not-me');
  expect(made).toEqual([]);
});

test('a deletion cannot be taken back, so its mail has no link', async () => {
  const mail = await mailOf('account');
  expect(mail?.subject).toBe('T & co: the account was deleted');
  expect(mail?.html).toContain('If it was not you, tell the administrator at once.');
  expect(mail?.html).not.toContain('not-me');
  expect(made).toEqual([]);
});

test.each<[string, Partial<Caller>]>([
  ['your account', {}],
  ['your account', { proof: { idHash: 's', confirmedAt: 1 } }],
  ['administrator root', { actor: actorOf(1, 'root') }],
  ['somebody with access to the server', { proof: 'operator' }],
  ['somebody who opened the mailed link to reset the password', { proof: 'mailed' }],
])('by %s', async (by, caller) => {
  expect((await mailOf('password', {}, { ...self, ...caller }))?.html).toContain(`By: ${by}<br>`);
});

test.each<[WayIn, ChangedWay, string]>([
  ['password', {}, 'the password was changed'],
  ['password', { removed: true }, 'the password was changed'],
  ['email', {}, 'the email address was replaced'],
  ['phone', { removed: true }, 'the phone number was unlinked'],
  ['identity', { provider: 'GitHub' }, 'an account of GitHub was linked'],
  ['identity', { provider: 'GitHub', removed: true }, 'the account of GitHub was unlinked'],
  ['totp', {}, 'an authenticator app was set up'],
  ['totp', { removed: true }, 'the authenticator app was removed'],
  ['passkey', { removed: false }, 'a passkey was added'],
  ['passkey', { removed: true }, 'a passkey was removed'],
  ['recovery_codes', {}, 'new recovery codes were made'],
  ['factors', { removed: true }, 'all second factors were removed'],
  ['system_token', {}, 'a new system access token was made'],
])('%s %j: %s', async (way, change, words) => {
  expect((await mailOf(way, change))?.subject).toBe(`T & co: ${words}`);
});

describe('nothing is mailed', () => {
  test.each<[string, Partial<User>]>([
    ['without an address', { email: '' }],
    ['to an address that is not verified', { emailVerified: false }],
    ['to an account that is gone', { deletedAt: 1 }],
  ])('%s', async (_, change) => {
    expect(await mailOf('password', {}, self, { ...ann, ...change })).toBeUndefined();
    expect(made).toEqual([]);
  });
  test('where the site sends no mails', async () => {
    isConfigured = false;
    expect(await mailOf('password')).toBeUndefined();
    expect(made).toEqual([]);
    expect(logged).toEqual([]);
  });
});

test('the change does not wait for the mail; a failure is logged', async () => {
  const sent = Promise.withResolvers<void>();
  mailed = () => sent.promise;
  const mail = open();
  mail.send(ann, self, 'password', {});
  let isSettled = false;
  const settled = mail.settled().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSettled).toBe(false);
  const error = new Error('no server');
  sent.reject(error);
  await settled;
  expect(logged).toEqual([[{ error, user: 7 }, 'an owner could not be mailed about a way in']]);
});

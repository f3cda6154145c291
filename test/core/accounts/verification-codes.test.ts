/** Codes for addresses and phones: how long, how many tries, for whom, once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLoginGuard } from '../../../src/core/accounts/sign-in/login-guard.ts';
import {
  type CodeOrigin,
  type CodePurpose,
  createVerificationCodes,
  sixDigits,
} from '../../../src/core/accounts/verification-codes.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { codeOf, createLastingApp, type TestApp } from '../../support/app.ts';

let site: TestApp;
/** What the guard was asked about. */
let begun: unknown[];
let succeeded: number;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(() => {
  begun = [];
  succeeded = 0;
});

/** With a cluster of its own, so that each begins without counts. */
function open(counters: string[] = []) {
  const cluster = createMemoryCluster(site.clock);
  return createVerificationCodes({
    storage: site.app.storage,
    clock: site.clock,
    cluster: {
      counter: (name) => {
        counters.push(name);
        return cluster.counter(name);
      },
    },
    guard: {
      begin: async (...attempt) => {
        begun.push(attempt);
        return {
          succeed: async () => {
            succeeded += 1;
          },
        };
      },
    },
  });
}
const home = { ip: '192.0.2.1' };
const move = (seconds: number) => site.clock.move(seconds * 1000);
const purposes: [CodePurpose, number, string][] = [
  ['email', 600, 'verification_code_invalid'],
  ['reset', 600, 'reset_link_invalid'],
  ['phone', 300, 'verification_code_invalid'],
  ['second-step', 300, 'verification_code_invalid'],
];

test('one mail of a kind to an address in 30 seconds, unless it could not be sent', async () => {
  const counters: string[] = [];
  const codes = open(counters);
  expect(counters).toEqual(['code-mails']);
  await codes.countMail('email', 'a@example.org');
  await codes.countMail('reset', 'a@example.org');
  await codes.countMail('email', 'b@example.org');
  site.clock.move(10_500);
  await expect(codes.countMail('email', 'a@example.org')).rejects.toMatchObject({
    code: 'mail_too_soon',
    params: { seconds: 20 },
  });
  site.clock.move(19_499);
  expect(await codeOf(codes.countMail('email', 'a@example.org'))).toBe('mail_too_soon');
  site.clock.move(1);
  await codes.countMail('email', 'a@example.org');
  await codes.uncountMail('email', 'b@example.org');
  await codes.uncountMail('email', 'a@example.org');
  await codes.countMail('email', 'a@example.org');
  expect(await codeOf(codes.countMail('email', 'a@example.org'))).toBe('mail_too_soon');
});

describe.each(purposes)('a code for %s', (purpose, seconds, refusal) => {
  const check = (codes: ReturnType<typeof open>, code: string, subject = 'ann') =>
    codes.check(purpose, subject, code, home);

  test('is good until its time, and used once', async () => {
    const codes = open();
    await codes.store(purpose, 'ann', '123456', 'what it is for');
    move(seconds - 1);
    const { payload, consume } = await check(codes, ' 123456 ');
    expect(payload).toBe('what it is for');
    expect(succeeded).toBe(1);
    await site.app.storage.transaction(consume);
    expect(await codeOf(site.app.storage.transaction(consume))).toBe(refusal);
    expect(await codeOf(check(codes, '123456'))).toBe(refusal);
    await codes.store(purpose, 'ann', '123456');
    expect((await check(codes, '123456')).payload).toBe('');
    move(seconds);
    expect(await codeOf(check(codes, '123456'))).toBe(refusal);
  });
  test('has five tries, wrong ones too; another code or subject is refused', async () => {
    const codes = open();
    await codes.store(purpose, 'ann', '123456');
    expect(await codeOf(check(codes, '123456', 'bob'))).toBe(refusal);
    for (let guess = 0; guess < 4; guess++)
      expect(await codeOf(check(codes, `12345${guess}`))).toBe(refusal);
    expect(succeeded).toBe(0);
    await check(codes, '123456');
    expect(await codeOf(check(codes, '123456'))).toBe(refusal);
    await codes.store(purpose, 'ann', '654321');
    expect(await codeOf(check(codes, '123456'))).toBe(refusal);
    await check(codes, '654321');
  });
  test('is good for its purpose alone', async () => {
    const codes = open();
    await codes.store(purpose, `carl ${purpose}`, '123456');
    for (const [other, , error] of purposes)
      if (other !== purpose)
        expect(await codeOf(codes.check(other, `carl ${purpose}`, '123456', home))).toBe(error);
  });
});

test('a locked caller uses up no try; the guard learns the subject, the account and the place', async () => {
  const codes = open();
  await codes.store('phone', 'ann', '123456');
  const from: CodeOrigin = { ...home, device: 'd', session: 's', userId: 7 };
  await codes.check('phone', 'ann', '123456', from);
  expect(begun).toEqual([
    [
      { kind: 'code', name: site.app.storage.verificationCodes.hash('phone:ann'), userId: 7 },
      { ...home, device: 'd', session: 's' },
    ],
  ]);
  const cluster = createMemoryCluster(site.clock);
  const guard = createLoginGuard({ cluster, devices: { find: () => undefined } });
  const guarded = createVerificationCodes({
    storage: site.app.storage,
    clock: site.clock,
    cluster,
    guard,
  });
  for (let at = 0; at < 10; at++) await codeOf(guarded.check('phone', 'nobody', '1', home));
  await guarded.store('phone', 'nobody', '123456');
  for (let at = 0; at < 6; at++)
    expect(await codeOf(guarded.check('phone', 'nobody', '123456', home))).toBe('account_locked');
  await guarded.check('phone', 'nobody', '123456', { ip: '192.0.2.2' });
});

test.each([
  ['000000000000', '000000'],
  ['0000000f4240', '000000'],
  ['0000000f423f', '999999'],
  ['000000000007', '000007'],
  ['ffffffffffff', '710655'],
])('%s gives the six digits %s', (bytes, digits) => {
  const asked: number[] = [];
  const hex = (count: number) => {
    asked.push(count);
    return bytes;
  };
  expect(sixDigits({ hex })).toBe(digits);
  expect(asked).toEqual([6]);
});

// Covers src/core/accounts/factors.
/** Proofs by a second factor, and what confirms a session before a way into the account changes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PasskeyProof } from '../../../../src/core/accounts/factors/passkey-proof.ts';
import { recoveryHash } from '../../../../src/core/accounts/factors/recovery-codes.ts';
import { createStepUp, type StepUp } from '../../../../src/core/accounts/factors/step-up.ts';
import { fromBase32, newTotpSecret, totpCode } from '../../../../src/core/accounts/factors/totp.ts';
import {
  createFactorVerifier,
  type FactorVerifier,
} from '../../../../src/core/accounts/factors/verify-factor.ts';
import { createLoginGuard } from '../../../../src/core/accounts/sign-in/login-guard.ts';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { Secret } from '../../../../src/core/kernel/secret.ts';
import { codeOf, createLastingApp, type TestApp, testPassword } from '../../../support/app.ts';

const from = { ip: '192.0.2.1' };
let site: TestApp;
let serial = 0;
let userId: number;
let secret: string;
let factors: FactorVerifier;
let stepUp: StepUp;
/** What was shown as a passkey: purpose, answer, user. */
let shown: unknown[][];
let passkeys: number;
let confirmed: string[];

beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  secret = newTotpSecret();
  shown = [];
  passkeys = 0;
  confirmed = [];
  const { storage } = site.app;
  const guard = createLoginGuard({
    cluster: createMemoryCluster(site.clock),
    devices: { find: () => undefined },
  });
  factors = createFactorVerifier({
    storage,
    passkeys: {
      usable: async () => Array.from({ length: passkeys }),
      verify: async (...answer: unknown[]) => {
        shown.push(answer);
        if (answer[1] === 'wrong') throw new AppError('passkey_invalid');
      },
    } as unknown as PasskeyProof,
    guard,
    clock: site.clock,
  });
  stepUp = createStepUp({
    storage,
    factors,
    sessions: { confirm: async (hash) => void confirmed.push(hash) },
    guard,
    clock: site.clock,
  });
});

const step = () => Math.floor(site.clock.now() / 30_000);
const codeAt = (at: number) => totpCode(fromBase32(secret), at);
/** An app whose code of `at` was used when it was confirmed. */
const addApp = async (at = step() - 5) => {
  const { secondFactors } = site.app.storage;
  await secondFactors.putTotp(userId, new Secret(secret), 1);
  const totp = await secondFactors.findTotp(userId);
  if (totp === null) throw new Error('no app');
  await secondFactors.confirmTotp(totp, at, 1);
};
const addRecoveryCode = (code: string) =>
  site.app.storage.secondFactors.putRecoveryCodes(userId, [recoveryHash(userId, code)]);
const verify = (code: string, ip = '192.0.2.1') =>
  factors.verify(userId, { code }, 'passkey-step-up', { ip });

describe('the ways to prove it', () => {
  test('none without a factor; an app that is not confirmed is none', async () => {
    expect(await factors.kindsOf(userId)).toEqual([]);
    expect(await factors.has(userId)).toBe(false);
    await site.app.storage.secondFactors.putTotp(userId, new Secret(secret), 1);
    expect(await factors.kindsOf(userId)).toEqual([]);
    expect(await codeOf(verify(codeAt(step())))).toBe('second_factor_invalid');
  });
  test('the app, passkeys that work at this address, and recovery codes', async () => {
    await addApp();
    expect(await factors.kindsOf(userId)).toEqual(['totp', 'recovery']);
    passkeys = 1;
    expect(await factors.kindsOf(userId)).toEqual(['totp', 'passkey', 'recovery']);
    expect(await factors.has(userId)).toBe(true);
  });
});

describe('a code of the app', () => {
  beforeEach(() => addApp());

  test('counts once, also with blanks', async () => {
    const code = codeAt(step());
    expect(await verify(` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe('totp');
    expect(await codeOf(verify(code))).toBe('second_factor_used');
    expect(await codeOf(verify(codeAt(step() - 1)))).toBe('second_factor_used');
    expect(await verify(codeAt(step() + 1))).toBe('totp');
  });
  test('of another time is refused', async () => {
    expect(await codeOf(verify(codeAt(step() + 2)))).toBe('second_factor_invalid');
    expect(await codeOf(verify(codeAt(step() - 2)))).toBe('second_factor_invalid');
  });
  test('has ten guesses; a right one forgets those before it', async () => {
    for (let guess = 0; guess < 9; guess++)
      expect(await codeOf(verify(codeAt(step() + 20 + guess)))).toBe('second_factor_invalid');
    expect(await verify(codeAt(step()))).toBe('totp');
    for (let guess = 0; guess < 10; guess++)
      expect(await codeOf(verify(codeAt(step() + 20 + guess)))).toBe('second_factor_invalid');
    expect(await codeOf(verify(codeAt(step() + 1), '192.0.2.2'))).toBe('account_locked');
  });
});

describe('a recovery code', () => {
  test('counts once, however it is written; another is refused', async () => {
    await addRecoveryCode('aaaaa-bbbbb-ccccc-12345');
    expect(await codeOf(verify('aaaaa-bbbbb-ccccc-54321'))).toBe('second_factor_invalid');
    expect(await verify('AAAAA BBBBB CCCCC 12345')).toBe('recovery');
    expect(await codeOf(verify('aaaaa-bbbbb-ccccc-12345'))).toBe('second_factor_invalid');
  });
  test('nothing is no proof', async () => {
    await addApp();
    await addRecoveryCode('aaaaa-bbbbb-ccccc-12345');
    expect(await codeOf(factors.verify(userId, {}, 'passkey-step-up', from))).toBe(
      'second_factor_invalid',
    );
  });
  test.each(['1234567', '12345', 'x123456', '123456x'])('%s is no code of an app', async (code) => {
    await addApp();
    await addRecoveryCode(code);
    expect(await verify(code)).toBe('recovery');
  });
});

test('a passkey is verified for its purpose and its user, and not beside a code', async () => {
  await addApp();
  const proof = { code: codeAt(step()), passkey: 'right' };
  expect(await factors.verify(userId, proof, 'passkey-step-up', from)).toBe('passkey');
  expect(shown).toEqual([['passkey-step-up', 'right', userId]]);
  expect(await verify(codeAt(step()))).toBe('totp');
  const wrong = { passkey: 'wrong' };
  for (let guess = 0; guess < 10; guess++)
    expect(await codeOf(factors.verify(userId, wrong, 'passkey-step-up', from))).toBe(
      'passkey_invalid',
    );
  expect(await codeOf(factors.verify(userId, wrong, 'passkey-step-up', from))).toBe(
    'account_locked',
  );
});

describe('a session is confirmed', () => {
  const actor = () => ({ id: userId, ip: '192.0.2.1' });

  test('by its beginning or by a proof, for five minutes', async () => {
    const now = Math.floor(site.clock.now() / 1000);
    await stepUp.require(actor(), { confirmedAt: now });
    await stepUp.require(actor(), { confirmedAt: now - 300 });
    await expect(stepUp.require(actor(), { confirmedAt: now - 301 })).rejects.toMatchObject({
      code: 'step_up_required',
      params: { methods: 'password' },
    });
    await addApp();
    await expect(stepUp.require(actor(), { confirmedAt: 0 })).rejects.toMatchObject({
      params: { methods: 'totp,recovery' },
    });
    expect(await codeOf(stepUp.require(actor(), undefined))).toBe('session_required');
  });
  test('by a second factor where there is one, never by the password then', async () => {
    await addApp();
    const password = stepUp.confirm(actor(), 's1', { password: testPassword });
    expect(await codeOf(password)).toBe('second_factor_invalid');
    expect(confirmed).toEqual([]);
    await stepUp.confirm(actor(), 's1', { code: codeAt(step()) });
    expect(confirmed).toEqual(['s1']);
    passkeys = 1;
    await stepUp.confirm(actor(), 's2', { passkey: 'right' });
    expect(shown).toEqual([['passkey-step-up', 'right', userId]]);
    expect(confirmed).toEqual(['s1', 's2']);
  });
  test('by the password otherwise; each session has ten guesses of its own', async () => {
    expect(await stepUp.kindsOf(userId)).toEqual(['password']);
    await stepUp.confirm(actor(), 's1', { password: testPassword });
    expect(confirmed).toEqual(['s1']);
    expect(await codeOf(stepUp.confirm(actor(), 's1', {}))).toBe('original_password_wrong');
    for (let guess = 1; guess < 10; guess++)
      expect(await codeOf(stepUp.checkPassword(actor(), 'guess', 's1'))).toBe(
        'original_password_wrong',
      );
    expect(await codeOf(stepUp.checkPassword(actor(), testPassword, 's1'))).toBe('account_locked');
    await stepUp.checkPassword(actor(), testPassword, 's2');
    expect(confirmed).toEqual(['s1']);
  });
  test('a right password forgets the guesses before it', async () => {
    for (let round = 0; round < 2; round++) {
      for (let guess = 0; guess < 9; guess++)
        await codeOf(stepUp.checkPassword(actor(), 'guess', undefined));
      await stepUp.checkPassword(actor(), testPassword, undefined);
    }
  });
  test('an account without a password, and one that is not there', async () => {
    await site.app.storage.users.update(userId, { passwordHash: new Secret('') });
    expect(await stepUp.kindsOf(userId)).toEqual([]);
    expect(await stepUp.kindsOf(987_654_321)).toEqual([]);
    expect(await codeOf(stepUp.checkPassword(actor(), '', 's1'))).toBe('original_password_wrong');
    const nobody = { id: 987_654_321, ip: '' };
    expect(await codeOf(stepUp.checkPassword(nobody, '', 's1'))).toBe('not_found');
  });
});

/** Second factors of one's own: what each call adds, refuses and leaves. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { actorFrom } from '../../../../src/core/accounts/actor-from.ts';
import { fromBase32, totpCode } from '../../../../src/core/accounts/factors/totp.ts';
import type { Caller } from '../../../../src/core/accounts/gate/caller.ts';
import { nowSeconds } from '../../../../src/core/kernel/clock.ts';
import { codeOf, createLastingApp, type TestApp } from '../../../support/app.ts';
import { createSoftwarePasskey } from '../../../support/software-passkey.ts';

const address = 'https://gw.example';
let site: TestApp;
let serial = 0;
let userId: number;
beforeAll(async () => {
  site = await createLastingApp();
  await site.operator.option.set({ key: 'ServerAddress', value: address });
  await site.operator.option.set({ key: 'SystemName', value: 'Gate' });
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
});

const factors = () => site.app.accounts.factors;
const waysIn = ['totp', 'passkey', 'recovery_codes', 'factors'] as const;
/** `ago`: seconds since the session was confirmed. */
const callerOf = async (id = userId, ago = 0): Promise<Caller> => ({
  actor: actorFrom(await site.app.accounts.own.get(id), '192.0.2.1'),
  proof: { idHash: 'the session', confirmedAt: nowSeconds(site.clock) - ago },
  waysIn,
});
const codeAt = (secret: string) =>
  totpCode(fromBase32(secret), Math.floor(site.clock.now() / 30_000));
const addTotp = async () => {
  const { secret } = await factors().beginTotp(await callerOf());
  return factors().confirmTotp(await callerOf(), codeAt(secret));
};
const begin = async () =>
  (await factors().beginPasskey(await callerOf())) as unknown as Record<string, unknown>;
const addPasskey = async (options: Record<string, unknown>, name = 'laptop') =>
  factors().addPasskey(await callerOf(), createSoftwarePasskey().register(options, address), name);
const overview = () => factors().overview(userId);

describe('every change', () => {
  const changes: Readonly<Record<string, (caller: Caller) => Promise<unknown>>> = {
    beginTotp: (caller) => factors().beginTotp(caller),
    confirmTotp: (caller) => factors().confirmTotp(caller, '000000'),
    removeTotp: (caller) => factors().removeTotp(caller),
    beginPasskey: (caller) => factors().beginPasskey(caller),
    addPasskey: (caller) => factors().addPasskey(caller, {}, 'laptop'),
    removePasskey: (caller) => factors().removePasskey(caller, 1),
    renewRecoveryCodes: (caller) => factors().renewRecoveryCodes(caller),
  };
  // The name of a passkey lets nobody in, and these two only read.
  const free = ['has', 'overview', 'renamePasskey'];

  test('is in the list, but what changes no way in', () => {
    expect(Object.keys(factors()).sort()).toEqual(
      [...Object.keys(changes), 'reset', ...free].sort(),
    );
  });

  test.each(Object.entries(changes))('%s needs a confirmed session', async (_name, change) => {
    const late = await callerOf(userId, 301);
    expect(await codeOf(change(late))).toBe('step_up_required');
    expect(await codeOf(change({ ...late, proof: undefined }))).toBe('session_required');
    expect(await overview()).toEqual({ totpSince: null, passkeys: [], recoveryCodesLeft: 0 });
  });

  test('reset needs one of somebody above', async () => {
    await addTotp();
    const root = { ...(await callerOf()), actor: site.root };
    const late = { ...root, proof: (await callerOf(userId, 301)).proof };
    expect(await codeOf(factors().reset(late, userId))).toBe('step_up_required');
    expect(await codeOf(factors().reset(await callerOf(), userId))).toBe('not_on_yourself');
    const other = await callerOf(await site.addUser(`other${serial}`));
    expect(await codeOf(factors().reset(other, userId))).toBe('user_update_forbidden');
    expect(await codeOf(factors().reset(root, 1e9))).toBe('not_found');
    expect(await factors().has(userId)).toBe(true);
    await factors().reset(root, userId);
    const operator = { ...(await callerOf()), actor: site.root, proof: 'operator' } as const;
    await factors().reset(operator, site.root.id);
    expect(await overview()).toEqual({ totpSince: null, passkeys: [], recoveryCodesLeft: 0 });
  });
});

describe('the authenticator app', () => {
  test('is named after the site and the user, and counts once its code was right', async () => {
    const { secret, uri } = await factors().beginTotp(await callerOf());
    expect(uri).toContain(`Gate:user${serial}`);
    expect((await overview()).totpSince).toBeNull();
    expect(await factors().has(userId)).toBe(false);
    const code = codeAt(secret);
    const codes = await factors().confirmTotp(
      await callerOf(),
      `${code.slice(0, 3)} ${code.slice(3)}`,
    );
    expect(new Set(codes).size).toBe(10);
    expect(await overview()).toEqual({
      totpSince: nowSeconds(site.clock),
      passkeys: [],
      recoveryCodesLeft: 10,
    });
  });

  test('cannot be set up twice, or confirmed without a setup', async () => {
    expect(await codeOf(factors().confirmTotp(await callerOf(), '000000'))).toBe('not_found');
    await addTotp();
    expect(await codeOf(factors().beginTotp(await callerOf()))).toBe('conflict');
    expect(await codeOf(factors().confirmTotp(await callerOf(), '000000'))).toBe('not_found');
  });

  test('does not count after a wrong code', async () => {
    const { secret } = await factors().beginTotp(await callerOf());
    const wrong = codeAt(secret) === '000000' ? '000001' : '000000';
    expect(await codeOf(factors().confirmTotp(await callerOf(), wrong))).toBe(
      'second_factor_invalid',
    );
    expect(await factors().has(userId)).toBe(false);
  });

  test('takes the recovery codes along where it was the last factor', async () => {
    expect(await codeOf(factors().removeTotp(await callerOf()))).toBe('not_found');
    await addTotp();
    await addPasskey(await begin());
    await factors().removeTotp(await callerOf());
    expect(await overview()).toMatchObject({ totpSince: null, recoveryCodesLeft: 10 });
    const [passkey] = (await overview()).passkeys;
    await factors().removePasskey(await callerOf(), passkey?.id ?? 0);
    expect(await overview()).toEqual({ totpSince: null, passkeys: [], recoveryCodesLeft: 0 });
  });
});

describe('passkeys', () => {
  test('come with recovery codes if they are the first factor, and have a name', async () => {
    expect(await addPasskey(await begin(), '  laptop ')).toHaveLength(10);
    expect(await addPasskey(await begin(), 'phone')).toEqual([]);
    expect((await overview()).passkeys).toMatchObject([
      { name: 'laptop', rpId: 'gw.example', createdAt: nowSeconds(site.clock) },
      { name: 'phone' },
    ]);
    expect(await begin()).toMatchObject({ excludeCredentials: [{}, {}] });
  });

  test('are twenty at most, however many were begun', async () => {
    const begun = [];
    for (let count = 0; count < 21; count += 1) begun.push(await begin());
    for (const options of begun.slice(0, 20)) await addPasskey(options);
    expect(await codeOf(addPasskey(begun[20] ?? {}))).toBe('too_many_passkeys');
    expect(await codeOf(begin())).toBe('too_many_passkeys');
    expect((await overview()).passkeys).toHaveLength(20);
  });

  test('whose name is too long can be given another', async () => {
    const options = await begin();
    const passkey = createSoftwarePasskey().register(options, address);
    const add = async (name: string) => factors().addPasskey(await callerOf(), passkey, name);
    expect(await codeOf(add('n'.repeat(51)))).toBe('name_too_long');
    await add('😀'.repeat(50));
    expect(await codeOf(add('again'))).toBe('passkey_invalid');
    const [{ id } = { id: 0 }] = (await overview()).passkeys;
    expect(await codeOf(factors().renamePasskey(userId, id, 'n'.repeat(51)))).toBe('name_too_long');
    expect(await codeOf(factors().renamePasskey(userId, 1e9, 'n'))).toBe('not_found');
    await factors().renamePasskey(userId, id, ' desk ');
    expect((await overview()).passkeys).toMatchObject([{ name: 'desk' }]);
  });

  test('are added by whom they were begun, and removed by their owner', async () => {
    const options = await begin();
    const owner = userId;
    userId = await site.addUser(`other${serial}`);
    expect(await codeOf(addPasskey(options))).toBe('passkey_invalid');
    userId = owner;
    await addPasskey(options);
    const [{ id } = { id: 0 }] = (await overview()).passkeys;
    const other = await callerOf(await site.addUser(`third${serial}`));
    expect(await codeOf(factors().removePasskey(other, id))).toBe('not_found');
    expect(await codeOf(factors().renamePasskey(other.actor.id, id, 'mine'))).toBe('not_found');
    expect((await overview()).passkeys).toMatchObject([{ name: 'laptop' }]);
  });
});

test('recovery codes are replaced where there is a second factor', async () => {
  expect(await codeOf(factors().renewRecoveryCodes(await callerOf()))).toBe('not_found');
  const first = await addTotp();
  const next = await factors().renewRecoveryCodes(await callerOf());
  expect(next).toHaveLength(10);
  expect(next).not.toEqual(first);
  expect((await overview()).recoveryCodesLeft).toBe(10);
});

import { describe, expect, test } from 'vitest';
import { createSetupCode } from '../../../src/core/setup/setup-code.ts';
import { codeOf, createTestApp, createTestClock, testPassword } from '../../support/app.ts';

const root = {
  username: 'root',
  password: testPassword,
  confirmPassword: testPassword,
  selfUse: false,
  demo: false,
  siteLanguage: 'zh',
} as const;
const here = { ip: '' };

describe('setting the site up', () => {
  test('root user, opening quota as a posting, options, one row', async () => {
    const { app, operator } = await createTestApp({}, false);
    expect(await operator.system.setupStatus()).toEqual({
      status: false,
      root_init: false,
      database_type: 'sqlite',
    });
    expect((await operator.system.status()).setup).toBe(false);
    await app.setup.setUp(
      { ...root, selfUse: true, systemName: ' My site ', code: 'test ab' },
      here,
    );
    expect(await operator.system.setupStatus()).toEqual({
      status: true,
      root_init: false,
      database_type: '',
    });
    expect(await operator.system.status()).toMatchObject({
      setup: true,
      system_name: 'My site',
      self_use_mode_enabled: true,
      demo_site_enabled: false,
    });
    expect(await app.accounts.own.get(1)).toMatchObject({
      role: 100,
      status: 1,
      displayName: 'Root User',
      quota: 100_000_000,
      group: 'default',
    });
    expect((await operator.ledger.list()).items).toMatchObject([
      { kind: 'opening', amount: 100_000_000 },
    ]);
    expect(app.setup.shownCode()).toBeUndefined();
    expect(await codeOf(app.setup.setUp({ ...root, code: 'TESTAB' }, here))).toBe('already_set_up');
  });

  test('two concurrent setups create one root user', async () => {
    const { app, operator } = await createTestApp({}, false);
    const results = await Promise.all(
      ['first', 'second', 'third'].map((username) =>
        codeOf(app.setup.setUp({ ...root, username, code: 'TESTAB' }, here)),
      ),
    );
    expect(results.filter((code) => code === 'already_set_up')).toHaveLength(2);
    expect((await operator.user.list()).total).toBe(1);
    expect((await operator.ledger.verify()).ok).toBe(true);
  });

  test.each([
    [{ code: 'WRONG1' }, 'setup_token_wrong'],
    [{ confirmPassword: 'another password' }, 'passwords_differ'],
    [{ password: 'short', confirmPassword: 'short' }, 'password_invalid'],
    [{ username: ' ' }, 'username_invalid'],
  ])('%o is refused: %s', async (fields, code) => {
    const { app } = await createTestApp({}, false);
    expect(await codeOf(app.setup.setUp({ ...root, code: 'TESTAB', ...fields }, here))).toBe(code);
    expect(app.setup.isSetUp()).toBe(false);
    await app.setup.setUp({ ...root, code: 'TESTAB' }, here);
  });

  test('the first root may bring a token and a system access token from the environment', async () => {
    const { app } = await createTestApp({
      INITIAL_ROOT_TOKEN: `sk-${'k'.repeat(48)}`,
      INITIAL_ROOT_ACCESS_TOKEN: 'a'.repeat(32),
    });
    expect((await app.tokens.identify(`sk-${'k'.repeat(48)}`, '')).userId).toBe(1);
    expect((await app.accounts.own.get(1)).accessTokenHash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the setup code', () => {
  const ids = { chance: () => 0.5 };

  test('six unambiguous characters, shown in two groups', () => {
    const code = createSetupCode('', { ids: { chance: Math.random }, clock: createTestClock() });
    expect(code.shown).toMatch(/^[2-9A-HJKMNP-Z]{3} [2-9A-HJKMNP-Z]{3}$/);
  });

  test('case, spaces and dashes do not matter; SETUP_TOKEN wins', () => {
    const code = createSetupCode('My-Token', { ids, clock: createTestClock() });
    expect(code.shown).toBe('My-Token');
    expect(['mytoken', 'MY TOKEN', ' my-token '].map((given) => code.matches(given))).toEqual([
      true,
      true,
      true,
    ]);
    expect([code.matches(''), code.matches('mytoke')]).toEqual([false, false]);
  });

  test('ten failures lock it for a minute, also for the right code', () => {
    const clock = createTestClock();
    const code = createSetupCode('TESTAB', { ids, clock });
    for (let attempt = 0; attempt < 10; attempt += 1) expect(code.matches('wrong')).toBe(false);
    expect(() => code.matches('TESTAB')).toThrowError(/rate_limited {"seconds":60}/);
    clock.move(60_000);
    expect(code.matches('TESTAB')).toBe(true);
  });
});

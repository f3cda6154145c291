/**
 * Passwords that everybody guesses first are refused wherever one is set
 * (docs/rules/accounts.md#passwords).
 */
import { describe, expect, test } from 'vitest';
import { api } from '../../src/core/contract/index.ts';
import { commonPasswords } from '../../src/core/vocabulary/common-passwords.ts';
import { checkPasswords } from '../../src/ui/form/credentials.ts';
import { codeOf, createTestApp, testPassword } from '../support/app.ts';

const refused = [
  'password',
  'PassWord',
  ' password ',
  '        ',
  '\u3000\u3000\u3000\u3000\u3000\u3000\u3000\u3000',
  '12345678',
  'qq123456',
];

describe.each(refused)('“%s”', (password) => {
  test('is set on no path', async () => {
    const { operator, as, addUser } = await createTestApp({}, false).then(async (fresh) => {
      const root = { username: 'root', password, confirmPassword: password };
      expect(await codeOf(fresh.operator.system.setup(root))).toBe('password_too_common');
      await fresh.operator.system.setup({
        ...root,
        password: testPassword,
        confirmPassword: testPassword,
      });
      return fresh;
    });
    const ann = await addUser('ann');
    const own = await as(ann);
    const outcomes = await Promise.all([
      codeOf(operator.auth.register({ username: 'bob', password })),
      codeOf(operator.user.create({ username: 'cid', password })),
      codeOf(operator.user.update({ id: ann, password })),
      codeOf((await as(1)).user.update({ id: ann, password })),
      codeOf(own.self.update({ password })),
      codeOf(own.self.update({ password, original_password: testPassword })),
    ]);
    expect(new Set(outcomes)).toEqual(new Set(['password_too_common']));
  });
});

test('whoever has one already signs in', async () => {
  const { app, addUser } = await createTestApp();
  const ann = await addUser('ann');
  const { hashPassword } = await import('../../src/core/accounts/password.ts');
  await app.storage.users.update(ann, { passwordHash: await hashPassword('password', app.ids) });
  expect(
    (await app.accounts.signIn('password', { username: 'ann', password: 'password' })).id,
  ).toBe(ann);
});

test('there are no rules of composition', async () => {
  const { operator } = await createTestApp();
  for (const password of [
    'aaaaaaab',
    '修改密码修改密码',
    'correct horse',
    ' leading blanks',
    '12345679',
  ])
    await operator.user.create({
      username: `u${password.length}${password.codePointAt(0)}`,
      password,
    });
});

test('the list is one of words that are long enough to be chosen', () => {
  expect(commonPasswords.size).toBeGreaterThan(100);
  for (const word of commonPasswords)
    expect(word === '' || (word.length >= 8 && word === word.trim().toLowerCase())).toBe(true);
});

test('forms say so before the call', () => {
  const say = (key: string) => key;
  const check = (password: string) =>
    checkPasswords({ password, confirmPassword: password }, say as never).password;
  expect([check('Password'), check('short'), check(testPassword)]).toEqual([
    'credentials.passwordCommon',
    'credentials.passwordShort',
    undefined,
  ]);
});

test('every call that takes a new password is one of these', () => {
  const calls = Object.values(api).flatMap((group) => Object.values(group));
  const taking = calls
    .filter(({ input }) => Object.hasOwn(input.shape, 'password'))
    .map(({ method, path }) => `${method} ${path}`);
  expect(taking.sort()).toEqual(
    [
      // The password is checked against the one that is stored.
      'POST /api/turnpike/self/step-up',
      'POST /api/setup',
      'POST /api/user/',
      'POST /api/user/login',
      'POST /api/user/register',
      'POST /public/email_login',
      'PUT /api/user/',
      'PUT /api/user/self',
    ].sort(),
  );
});

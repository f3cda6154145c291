import { hash as bcrypt } from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '../../../src/core/accounts/password.ts';
import { checkNewUser } from '../../../src/core/accounts/user-fields.ts';
import { systemIds } from '../../../src/core/config/system-ids.ts';
import { hashAsUsual } from '../../support/light-hashing.ts';

hashAsUsual();

test('argon2id in PHC text, another salt each time', async () => {
  const hashes = await Promise.all([
    hashPassword('correct horse', systemIds),
    hashPassword('correct horse', systemIds),
  ]);
  const [first = '', second] = hashes.map((hash) => hash.reveal());
  expect(first).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  );
  expect(second).not.toBe(first);
  expect(await verifyPassword('correct horse', first)).toEqual({ matches: true, outdated: false });
  expect(await verifyPassword('wrong horse', first)).toEqual({ matches: false, outdated: false });
});

test('an imported bcrypt hash is right once and due for another', async () => {
  const hash = await bcrypt('123456789', 4);
  expect(await verifyPassword('123456789', hash)).toEqual({ matches: true, outdated: true });
  expect(await verifyPassword('12345678', hash)).toEqual({ matches: false, outdated: false });
});

test('Argon2 with another cost is right and due for another', async () => {
  // m=256 KiB, t=2, p=1, salt "somesalt": the vector of the reference implementation's test suite.
  const hash =
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  expect(await verifyPassword('password', hash)).toEqual({ matches: true, outdated: true });
});

test.each(['', 'plain', '$argon2id$v=19$m=1', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65'])(
  '%j matches nothing',
  async (hash) => {
    expect(await verifyPassword('', hash)).toEqual({ matches: false, outdated: false });
  },
);

describe('length: at least 8 characters, at most 72 bytes', () => {
  test.each([
    ['1234567', false],
    ['q7 w9 e2', true],
    ['密码密码密码密', false],
    ['密码密码密码密码', true],
    ['a'.repeat(72), true],
    ['a'.repeat(73), false],
    ['密'.repeat(25), false],
  ])('%s', (password, fits) => {
    const check = () => checkNewUser({ password });
    if (fits) expect(check).not.toThrow();
    else expect(check).toThrowError(/password_invalid/);
  });
});

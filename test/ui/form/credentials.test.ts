import { describe, expect, test } from 'vitest';
import { checkCredentials } from '../../../src/ui/form/credentials.ts';
import { en } from '../../../src/ui/i18n/en/index.ts';
import { translatorOf } from '../../../src/ui/i18n/translate.ts';

const check = (values: { username?: string; password?: string; confirmPassword?: string }) => {
  const { username = 'root', password = 'long enough', confirmPassword = password } = values;
  return checkCredentials({ username, password, confirmPassword }, translatorOf('en', en));
};
const invalidName = 'At most 20 characters; no spaces, no @, no phone number';

describe('the root user of the setup', () => {
  test.each(['root', ' root ', '小明', 'a'.repeat(20)])('%j is a name', (username) => {
    expect(check({ username })).toEqual({});
  });
  test.each([
    ['  ', 'Enter a username'],
    ['a'.repeat(21), invalidName],
    ['the root', invalidName],
    ['root@example.org', invalidName],
    ['13800000000', invalidName],
  ])('%j is refused: %s', (username, text) => {
    expect(check({ username })).toEqual({ username: text });
  });
  test.each([
    ['1234567', 'At least 8 characters'],
    ['🔑🔑🔑🔑', 'At least 8 characters'],
    ['密'.repeat(25), 'At most 72 bytes'],
  ])('the password %j is refused: %s', (password, text) => {
    expect(check({ password })).toEqual({ password: text });
  });
  test('the password is repeated', () => {
    expect(check({ confirmPassword: 'something else' })).toEqual({
      confirmPassword: 'The passwords do not match',
    });
  });
});

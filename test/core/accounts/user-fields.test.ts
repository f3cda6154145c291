import { expect, test } from 'vitest';
import {
  checkNewUser,
  checkProfileEdits,
  checkUserEdits,
  readNewUser,
  readUserEdits,
} from '../../../src/core/accounts/user-fields.ts';

test.each([
  [' ann ', 'ann'],
  ['小明', '小明'],
  ['1234567890', '1234567890'],
  ['a'.repeat(20), 'a'.repeat(20)],
  ['密'.repeat(20), '密'.repeat(20)],
])('%j becomes %j', (given, stored) => {
  expect(checkNewUser({ username: given }).username).toBe(stored);
});

test.each([
  '',
  '   ',
  'a b',
  'a\tb',
  'a\u0000b',
  'a\u200bb',
  'ann@example.org',
  '13800000000',
  'a'.repeat(21),
])('%j is refused', (name) => {
  expect(() => checkNewUser({ username: name })).toThrowError(/username_invalid/);
});

test('shown names have 0 to 20 characters', () => {
  expect(checkNewUser({ displayName: '  ' }).displayName).toBe('');
  expect(checkNewUser({ displayName: '密'.repeat(20) }).displayName).toBe('密'.repeat(20));
  expect(() => checkNewUser({ displayName: 'a'.repeat(21) })).toThrowError(/name_too_long/);
});

test('an edit takes the fields of its call: role by administrators, portrait by the user', () => {
  const wire = {
    username: 'a',
    portrait: '/p',
    role: 10,
    nickname: 'n',
    used_quota: 9,
    github_id: '7',
    aff_code: 'x',
  };
  expect(readUserEdits(wire)).toEqual({ username: 'a', role: 10, nickname: 'n' });
  expect(readNewUser(wire)).toEqual({ username: 'a', role: 10 });
});

test('empty texts leave some fields unchanged and clear others, by call', () => {
  const empty = { username: '', password: '', displayName: '', nickname: '' };
  expect(checkUserEdits({ ...empty, group: '' })).toEqual({ displayName: '', nickname: '' });
  expect(checkProfileEdits({ ...empty, portrait: '' })).toEqual({});
});

test.each(['ftp://x', 'javascript:alert(1)', `/${'a'.repeat(2048)}`])(
  'the portrait %j is refused',
  (portrait) => {
    expect(() => checkProfileEdits({ portrait })).toThrowError(/invalid_parameter/);
  },
);

test('only a new user’s quota is bounded: a balance may be a debt', () => {
  expect(() => checkNewUser({ quota: -1 })).toThrowError(/invalid_parameter/);
  expect(checkUserEdits({ quota: -1 })).toEqual({ quota: -1 });
});

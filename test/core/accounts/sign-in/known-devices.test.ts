/** Browsers in which somebody has signed in before: what their cookie says, and for how long. */
import { beforeEach, expect, test } from 'vitest';
import { hashSecret } from '../../../../src/core/accounts/sessions.ts';
import { createKnownDevices } from '../../../../src/core/accounts/sign-in/known-devices.ts';
import type { Storage } from '../../../../src/core/storage/storage.ts';
import { createTestClock, type TestClock } from '../../../support/app.ts';

const year = 365 * 24 * 3600;
let clock: TestClock;
let made: number[];
beforeEach(() => {
  clock = createTestClock();
  made = [];
});
const open = () =>
  createKnownDevices({
    storage: { verificationCodes: { hash: hashSecret } } as unknown as Pick<
      Storage,
      'verificationCodes'
    >,
    clock,
    ids: {
      base64url: (bytes) => {
        made.push(bytes);
        return `${made.length}`.padStart(22, 'n');
      },
    },
  });
const nonce = (serial: number) => `${serial}`.padStart(22, 'n');

test('a browser is known for an account that signed in there, by a value of its own', () => {
  const devices = open();
  expect(devices.maxAge).toBe(year);
  const at = Math.floor(clock.now() / 1000);
  const cookie = devices.note(undefined, 7);
  const signature = hashSecret(`device:7:${nonce(1)}:${at}`).slice(0, 32);
  expect(cookie).toBe(`7.${nonce(1)}.${at}.${signature}`);
  expect(made).toEqual([16]);
  expect(devices.find(cookie, 7)).toBe(nonce(1));
  expect(devices.find(cookie, 8)).toBeUndefined();
  expect(devices.find(undefined, 7)).toBeUndefined();
  expect(devices.find('', 7)).toBeUndefined();
});

test('a later sign-in keeps the value, and counts anew for a year', () => {
  const devices = open();
  const first = devices.note('', 7);
  clock.move(year * 1000);
  expect(devices.find(first, 7)).toBe(nonce(1));
  const second = devices.note(first, 7);
  expect(second).not.toContain('~');
  clock.move(1000);
  expect(devices.find(first, 7)).toBeUndefined();
  expect(devices.find(second, 7)).toBe(nonce(1));
  expect(devices.note(first, 7)).toContain(nonce(2));
});

test('five accounts are kept, the one that was used last first', () => {
  const devices = open();
  let cookie = '';
  for (let user = 1; user <= 5; user++) cookie = devices.note(cookie, user);
  expect(cookie.split('~').map((text) => text.split('.')[0])).toEqual(['5', '4', '3', '2', '1']);
  for (let user = 1; user <= 5; user++) expect(devices.find(cookie, user)).toBe(nonce(user));
  cookie = devices.note(cookie, 1);
  cookie = devices.note(cookie, 6);
  expect(cookie.split('~').map((text) => text.split('.')[0])).toEqual(['6', '1', '5', '4', '3']);
  expect(devices.find(cookie, 2)).toBeUndefined();
  // Of more than five, which this site never writes, the others are not read.
  const more = `${'x~'.repeat(5)}${cookie}`;
  expect(devices.find(more, 6)).toBeUndefined();
  expect(devices.find(`${'x~'.repeat(4)}${cookie}`, 6)).toBe(nonce(6));
});

test('what this site has not signed is not read', () => {
  const devices = open();
  const cookie = devices.note('', 7);
  const [, , at = '', signature = ''] = cookie.split('.');
  const entries = [
    `8.${nonce(1)}.${at}.${signature}`,
    `7.${nonce(2)}.${at}.${signature}`,
    `7.${nonce(1)}.${Number(at) + 1}.${signature}`,
    `7.${nonce(1)}.${at}.${'0'.repeat(32)}`,
    `7.${nonce(1)}.${at}.${signature}0`,
    `7.${nonce(1)}.${at}.${signature.slice(1)}`,
    `7.${nonce(1)}.${at}`,
    `x${cookie}`,
    `07.${nonce(1)}.${at}.${signature}`,
  ];
  for (const entry of entries)
    for (const userId of [7, 8, 0]) expect(devices.find(entry, userId)).toBeUndefined();
  expect(devices.note(entries[0], 9).split('~')).toHaveLength(1);
  expect(devices.note('x', 9)).not.toContain('~');
  expect(devices.find(`x~${cookie}`, 7)).toBe(nonce(1));
});

test.each<[number, string, string]>([
  [0, 'n'.repeat(22), '1'],
  [1_000_000_000_000_000, 'n'.repeat(22), '1800000000'],
  [7, 'n'.repeat(21), '1800000000'],
  [7, 'n'.repeat(23), '1800000000'],
  [7, `${'n'.repeat(21)}+`, '1800000000'],
  [7, 'n'.repeat(22), ''],
  [7, 'n'.repeat(22), '180000000000'],
])('an entry of %i, %s, %s is none, though signed', (userId, value, at) => {
  const signature = hashSecret(`device:${userId}:${value}:${at}`).slice(0, 32);
  expect(open().find(`${userId}.${value}.${at}.${signature}`, userId)).toBeUndefined();
});

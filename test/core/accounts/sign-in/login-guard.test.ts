/** How many guesses at a password or a code there are, by place, address and account. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type AttemptOrigin,
  createLoginGuard,
  type Guessed,
  type LoginGuard,
  passwordOf,
} from '../../../../src/core/accounts/sign-in/login-guard.ts';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import { Secret } from '../../../../src/core/kernel/secret.ts';
import { createTestClock, type TestClock } from '../../../support/app.ts';

const minutes = 60_000;
const ann: Guessed = { kind: 'password', name: '7:aa', userId: 7 };
const home: AttemptOrigin = { ip: '192.0.2.1' };

let clock: TestClock;
let guard: LoginGuard;
/** Of each counter, the keys that it has counted. */
let counters: Map<string, Set<string>>;
function openGuard(): void {
  clock = createTestClock();
  counters = new Map();
  const cluster = createMemoryCluster(clock);
  guard = createLoginGuard({
    cluster: {
      counter: (name) => {
        const keys = new Set<string>();
        counters.set(name, keys);
        const counter = cluster.counter(name);
        return {
          ...counter,
          increment: (key, ms) => {
            keys.add(key);
            return counter.increment(key, ms);
          },
        };
      },
    },
    devices: {
      find: (cookie, userId) => (cookie === `known for ${userId}` ? `nonce ${userId}` : undefined),
    },
  });
}
beforeEach(openGuard);

/** Failed attempts from addresses of their own, one each. */
const fromEverywhere = async (times: number, guessed = ann) => {
  for (let at = 0; at < times; at++)
    await guard.begin(guessed, { ip: `198.51.${Math.floor(at / 250)}.${at % 250}` });
};
const fail = async (times: number, guessed = ann, from = home) => {
  for (let at = 0; at < times; at++) await guard.begin(guessed, from);
};
const locked = (guessed = ann, from = home, params = { minutes: 15, seconds: 900 }) =>
  expect(guard.begin(guessed, from)).rejects.toMatchObject({ code: 'account_locked', params });

test('what is counted has the same names in all processes', async () => {
  openGuard();
  await guard.begin(ann, home);
  await guard.begin({ kind: 'factor', name: '7', userId: 7 }, { ...home, session: 's1' });
  await guard.begin(ann, { ...home, device: 'known for 7' });
  expect(Object.fromEntries([...counters].map(([name, keys]) => [name, [...keys]]))).toEqual({
    'sign-in.places': [
      'password:7:aa|192.0.2.1',
      'factor:7|session:s1',
      'password:7:aa|device:nonce 7',
    ],
    'sign-in.accounts': ['password:7:aa'],
    'sign-in.addresses': ['192.0.2.1'],
  });
});

describe('from one address', () => {
  test('ten failures lock the account there for 15 minutes from the tenth, and nowhere else', async () => {
    await fail(9);
    clock.move(10 * minutes);
    await fail(1);
    await locked();
    await guard.begin(ann, { ip: '192.0.2.2' });
    clock.move(14 * minutes + 30_100);
    await locked(ann, home, { minutes: 1, seconds: 30 });
    clock.move(29_000);
    await locked(ann, home, { minutes: 1, seconds: 1 });
    clock.move(1000);
    await fail(10);
  });
  test('a success forgets those before it', async () => {
    await fail(9);
    await (await guard.begin(ann, home)).succeed();
    await fail(10);
    await locked();
  });
  test('other accounts, and other kinds of guess, are counted apart', async () => {
    await fail(10);
    await fail(10, { ...ann, name: '8:bb', userId: 8 });
    await fail(10, { ...ann, kind: 'code' });
    await locked();
  });
  test('fifty failures over all accounts lock the address, and what is refused counts no further', async () => {
    for (let user = 0; user < 5; user++) await fail(10, { kind: 'code', name: `${user}` });
    const other: Guessed = { kind: 'code', name: 'other' };
    await locked(other);
    await guard.begin(other, { ip: '192.0.2.2' });
    // A success before takes its own attempt back, not those of others.
    clock.move(15 * minutes);
    for (let user = 0; user < 5; user++) await fail(9, { kind: 'code', name: `${user}` });
    await (await guard.begin(other, home)).succeed();
    await fail(5, other);
    await locked({ kind: 'code', name: 'one more' });
  });
  test('one network of IPv6 is one address', async () => {
    for (let host = 1; host <= 10; host++)
      await guard.begin(ann, { ip: `2001:db8:0:1::${host.toString(16)}` });
    await locked(ann, { ip: '2001:db8:0:1:ffff::1' });
    await guard.begin(ann, { ip: '2001:db8:0:2::1' });
  });
});

describe('from everywhere', () => {
  test.each([
    ['password', 50],
    ['code', 50],
    ['factor', 10],
  ] as const)('a %s has %i failures', async (kind, most) => {
    const guessed = { ...ann, kind };
    await fromEverywhere(most, guessed);
    await locked(guessed, { ip: '203.0.113.1' });
    await guard.begin({ ...guessed, name: 'other' }, { ip: '203.0.113.1' });
    await guard.forget(guessed);
    await guard.begin(guessed, { ip: '203.0.113.2' });
  });
  test('what is refused for its address counts not for the account', async () => {
    await fail(10);
    for (let at = 0; at < 40; at++) await locked();
    await fromEverywhere(40);
    await locked(ann, { ip: '203.0.113.1' });
  });
  test('a success forgets them', async () => {
    await fromEverywhere(49);
    await (await guard.begin(ann, home)).succeed();
    await fromEverywhere(50);
    await locked(ann, { ip: '203.0.113.1' });
  });
  test('inside the process there is no address, only the account', async () => {
    const inside = { ip: '' };
    await fail(49, ann, inside);
    await (await guard.begin(ann, inside)).succeed();
    await fail(50, ann, inside);
    await locked(ann, inside);
    // Nothing was counted for the place without an address.
    await guard.begin({ kind: 'code', name: 'x' }, inside);
  });
});

describe('in a known browser or a session', () => {
  test.each<[string, AttemptOrigin]>([
    ['browser', { ...home, device: 'known for 7' }],
    ['session', { ...home, session: 's1' }],
  ])('a locked account is open in its %s, with ten guesses of its own', async (_, known) => {
    await fromEverywhere(50);
    await fail(9, ann, known);
    await (await guard.begin(ann, known)).succeed();
    await fail(10, ann, known);
    await locked(ann, known);
    await locked(ann, { ip: '203.0.113.1' });
    // Nor do they count for the address.
    await guard.begin({ kind: 'code', name: 'x' }, home);
  });
  test('each browser and session has its own; that of another account is none', async () => {
    await fail(10, ann, { ...home, session: 's1' });
    await guard.begin(ann, { ...home, session: 's2' });
    await guard.begin(ann, { ...home, device: 'known for 7' });
    await fromEverywhere(50);
    await locked(ann, { ip: '203.0.113.1', device: 'known for 8' });
    const { userId: _userId, ...nobody } = ann;
    await locked(nobody, { ip: '203.0.113.1', device: 'known for 7' });
  });
});

test('a password is counted by account and password, which is not shown', () => {
  const first = passwordOf({ id: 7, passwordHash: new Secret('hash') });
  expect(first).toEqual({
    kind: 'password',
    name: expect.stringMatching(/^7:[0-9a-f]{16}$/),
    userId: 7,
  });
  expect(passwordOf({ id: 7, passwordHash: new Secret('hash') })).toEqual(first);
  expect(passwordOf({ id: 7, passwordHash: new Secret('new') }).name).not.toBe(first.name);
  expect(passwordOf({ id: 8, passwordHash: new Secret('hash') }).name).not.toBe(first.name);
});

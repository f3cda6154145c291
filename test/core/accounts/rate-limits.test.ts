/** How many calls an address and a user have, and how long they wait then. */
import { expect, test } from 'vitest';
import { createRateLimits } from '../../../src/core/accounts/rate-limits.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { loadConfig } from '../../../src/core/config/load.ts';
import { codeOf, createTestClock, freshHome } from '../../support/app.ts';

function open(environment: Record<string, string> = {}) {
  const { config } = loadConfig({
    environment: {
      GLOBAL_API_RATE_LIMIT: '3',
      GLOBAL_API_RATE_LIMIT_DURATION: '10',
      CRITICAL_RATE_LIMIT: '2',
      CRITICAL_RATE_LIMIT_DURATION: '20',
      GLOBAL_WEB_RATE_LIMIT: '1',
      GLOBAL_WEB_RATE_LIMIT_DURATION: '30',
      ...environment,
    },
    cwd: '/nonexistent',
    home: freshHome(),
  });
  const clock = createTestClock();
  const cluster = createMemoryCluster(clock);
  const counters = new Map<string, Set<string>>();
  const limits = createRateLimits(config, {
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
  });
  const counted = () =>
    Object.fromEntries([...counters].map(([name, keys]) => [name, [...keys].sort()]));
  return { limits, clock, counted };
}
const refused = (seconds: number) => ({
  code: 'rate_limited',
  params: { seconds, retryAfter: seconds },
});

test.each([
  ['api', 3, 10],
  ['pages', 1, 30],
] as const)('%s: %i calls of an address in %i seconds', async (name, most, seconds) => {
  const { limits, clock } = open();
  const limit = limits[name];
  for (let at = 0; at < most; at++) await limit('192.0.2.1');
  clock.move(500);
  await expect(limit('192.0.2.1')).rejects.toMatchObject(refused(seconds));
  await limit('192.0.2.2');
  clock.move(seconds * 1000 - 501);
  await expect(limit('192.0.2.1')).rejects.toMatchObject(refused(1));
  clock.move(1);
  await limit('192.0.2.1');
});

test('critical calls of visitors count by address, those of users by user', async () => {
  const { limits } = open();
  for (let at = 0; at < 2; at++) await limits.critical('192.0.2.1', undefined);
  await expect(limits.critical('192.0.2.1', undefined)).rejects.toMatchObject(refused(20));
  await limits.critical('192.0.2.1', 1);
  await limits.critical('192.0.2.2', 1);
  await expect(limits.critical('192.0.2.3', 1)).rejects.toMatchObject(refused(20));
  await limits.critical('192.0.2.2', undefined);
});

test('the users of one address have as many critical calls as five', async () => {
  const { limits } = open();
  for (let user = 1; user <= 5; user++)
    for (let at = 0; at < 2; at++) await limits.critical('192.0.2.1', user);
  await expect(limits.critical('192.0.2.1', 6)).rejects.toMatchObject(refused(20));
  await limits.critical('192.0.2.2', 6);
});

test('what is counted has the same names in all processes, and a network of IPv6 is one', async () => {
  const { limits, counted } = open();
  await limits.api('2001:db8:0:1::5');
  await limits.pages('2001:db8:0:1::5');
  await limits.critical('2001:db8:0:1::5', undefined);
  await limits.critical('2001:db8:0:1::5', 7);
  const network = '2001:db8:0:1::/64';
  expect(counted()).toEqual({
    'requests.api': [network],
    'requests.critical': [`ip:${network}`, 'user:7'],
    'requests.critical-of-users': [network],
    'requests.pages': [network],
  });
});

test.each([
  ['GLOBAL_API_RATE_LIMIT_ENABLE', ['api']],
  ['GLOBAL_WEB_RATE_LIMIT_ENABLE', ['pages']],
  ['CRITICAL_RATE_LIMIT_ENABLE', ['critical', 'critical of users']],
])('%s=false leaves %j without a limit', async (key, free) => {
  const { limits, counted } = open({ [key]: 'false' });
  const found: string[] = [];
  const tried = async (name: string, call: () => Promise<void>) => {
    let last: unknown;
    for (let at = 0; at < 11; at++) last = await codeOf(call());
    if (last === 'it did not fail') found.push(name);
  };
  await tried('api', () => limits.api('192.0.2.1'));
  await tried('pages', () => limits.pages('192.0.2.1'));
  await tried('critical', () => limits.critical('192.0.2.1', undefined));
  await tried('critical of users', () => limits.critical('192.0.2.1', 7));
  expect(found).toEqual(free);
  expect(Object.keys(counted())).not.toContain(`requests.${free[0]}`);
});

import { beforeEach, expect, test } from 'vitest';
import { CoolDowns, coolDownRules } from '../../../../src/core/relay/select/cool-downs.ts';
import { createTestClock, type TestClock } from '../../../support/app.ts';

let clock: TestClock;
let coolDowns: CoolDowns;

beforeEach(() => {
  clock = createTestClock();
  coolDowns = new CoolDowns(clock, (event) => coolDowns.apply(event));
});

test('a health key has a cool-down for one model, for the time its upstream gave', () => {
  coolDowns.start('a', 'm', 20);
  expect(coolDowns.find('a', 'm')).toMatchObject({ until: clock.now() + 20_000, requested: true });
  expect([coolDowns.find('a', 'other'), coolDowns.find('b', 'm'), coolDowns.none]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  clock.move(19_999);
  expect(coolDowns.find('a', 'm')).toBeDefined();
  clock.move(1);
  expect([coolDowns.find('a', 'm'), coolDowns.none]).toEqual([undefined, true]);
});

test('without a time a short one is guessed, and a success ends the guess', () => {
  coolDowns.start('a', 'm', undefined);
  expect(coolDowns.find('a', 'm')).toMatchObject({
    until: clock.now() + coolDownRules.guess,
    requested: false,
  });
  coolDowns.succeeded('a', 'm');
  expect(coolDowns.find('a', 'm')).toBeUndefined();
});

test('a requested cool-down remains after later successes', () => {
  coolDowns.start('a', 'm', 5);
  coolDowns.succeeded('a', 'm');
  expect(coolDowns.find('a', 'm')).toBeDefined();
});

test('a guess does not replace what the upstream requested', () => {
  coolDowns.start('a', 'm', 30);
  coolDowns.start('a', 'm', undefined);
  expect(coolDowns.find('a', 'm')).toMatchObject({ until: clock.now() + 30_000, requested: true });
  clock.move(30_000);
  coolDowns.start('a', 'm', undefined);
  expect(coolDowns.find('a', 'm')).toMatchObject({ requested: false });
});

test.each([
  [3600, coolDownRules.longest],
  [0, 0],
])('%d seconds become %d ms', (seconds, expected) => {
  coolDowns.start('a', 'm', seconds);
  expect((coolDowns.find('a', 'm')?.until ?? clock.now()) - clock.now()).toBe(expected);
});

test('cool-downs that are over do not pile up', () => {
  for (let model = 0; model < 1500; model++) {
    coolDowns.start('a', `m${model}`, 1);
    clock.move(10);
  }
  expect(coolDowns.find('a', 'm1499')).toBeDefined();
  expect(coolDowns.size).toBeLessThan(1002);
});

test('the sweep leaves those that go on', () => {
  coolDowns.start('a', 'lasting', 60);
  for (let model = 0; model < 1001; model++) coolDowns.start('a', `m${model}`, 1);
  clock.move(1000);
  coolDowns.start('a', 'new', 1);
  expect(coolDowns.size).toBe(2);
  expect(coolDowns.find('a', 'lasting')).toBeDefined();
});

test('a clock that is set back ends every cool-down instead of making it hours long', () => {
  coolDowns.start('a', 'm', 30);
  clock.move(-3_600_000);
  expect(coolDowns.find('a', 'm')).toBeUndefined();
  expect(coolDowns.ofHealthKey('a')).toEqual([]);
});

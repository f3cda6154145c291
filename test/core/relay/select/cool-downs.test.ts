import { beforeEach, expect, test } from 'vitest';
import { CoolDowns, coolDownRules } from '../../../../src/core/relay/select/cool-downs.ts';
import { createTestClock, type TestClock } from '../../../support/app.ts';

let clock: TestClock;
let rests: CoolDowns;

beforeEach(() => {
  clock = createTestClock();
  rests = new CoolDowns(clock);
});

test('a lane rests for one model, for the time its upstream asked for', () => {
  rests.start('a', 'm', 20);
  expect(rests.find('a', 'm')).toMatchObject({ until: clock.now() + 20_000, requested: true });
  expect([rests.find('a', 'other'), rests.find('b', 'm'), rests.none]).toEqual([undefined, undefined, false]);
  clock.move(19_999);
  expect(rests.find('a', 'm')).toBeDefined();
  clock.move(1);
  expect([rests.find('a', 'm'), rests.none]).toEqual([undefined, true]);
});

test('without a time a short one is guessed, and a success ends the guess', () => {
  rests.start('a', 'm', undefined);
  expect(rests.find('a', 'm')).toMatchObject({ until: clock.now() + coolDownRules.guess, requested: false });
  rests.succeeded('a', 'm');
  expect(rests.find('a', 'm')).toBeUndefined();
});

test('what was asked for stands, whatever succeeds meanwhile', () => {
  rests.start('a', 'm', 5);
  rests.succeeded('a', 'm');
  expect(rests.find('a', 'm')).toBeDefined();
});

test.each([
  [3600, coolDownRules.longest],
  [0, 0],
])('%d seconds become %d ms', (seconds, expected) => {
  rests.start('a', 'm', seconds);
  expect((rests.find('a', 'm')?.until ?? clock.now()) - clock.now()).toBe(expected);
});

test('what is over does not pile up', () => {
  for (let model = 0; model < 1500; model++) {
    rests.start('a', `m${model}`, 1);
    clock.move(10);
  }
  expect(rests.find('a', 'm1499')).toBeDefined();
  expect(rests.size).toBeLessThan(1002);
});

test('a clock that is put back ends every rest instead of making it hours long', () => {
  rests.start('a', 'm', 30);
  clock.move(-3_600_000);
  expect(rests.find('a', 'm')).toBeUndefined();
  expect(rests.ofHealthKey('a')).toEqual([]);
});

import { beforeEach, describe, expect, test } from 'vitest';
import { Breakers, breakerRules } from '../../../../src/core/relay/select/breakers.ts';
import { createTestClock, type TestClock } from '../../../support/app.ts';

const { inRow, memory, window, windowLeast, firstPause, longestPause } = breakerRules;
let clock: TestClock;
let breakers: Breakers;

beforeEach(() => {
  clock = createTestClock();
  breakers = new Breakers(clock, (event) => breakers.apply(event));
});

const fail = (times: number, healthKey = 'a') => {
  for (let time = 0; time < times; time++) breakers.failed(healthKey, false);
};
const stateOf = (healthKey = 'a') => breakers.findOpen(healthKey)?.state ?? 'closed';
const probe = (): boolean => breakers.startProbe('a');

describe('opens', () => {
  test('after so many failures in a row, and not before', () => {
    fail(inRow - 1);
    expect([stateOf(), breakers.allClosed]).toEqual(['closed', true]);
    fail(1);
    expect([stateOf(), breakers.allClosed, stateOf('b')]).toEqual(['open', false, 'closed']);
  });

  test('a success in between resets the count', () => {
    fail(inRow - 1);
    breakers.succeeded('a', clock.now());
    fail(inRow - 1);
    expect(stateOf()).toBe('closed');
    fail(1);
    expect(stateOf()).toBe('open');
  });

  test('failures far apart are no row', () => {
    for (let time = 0; time < 2 * inRow; time++) {
      fail(1);
      clock.move(memory + 1);
    }
    expect(stateOf()).toBe('closed');
  });

  test('when half of many fail, though never many in a row', () => {
    for (let pair = 0; 2 * (pair + 1) < windowLeast; pair++) {
      fail(1);
      breakers.succeeded('a', clock.now());
    }
    expect(stateOf()).toBe('closed');
    fail(1);
    breakers.succeeded('a', clock.now());
    fail(1);
    expect(stateOf()).toBe('open');
  });

  test('not when the same share is spread over a longer time', () => {
    for (let pair = 0; pair < windowLeast; pair++) {
      fail(1);
      breakers.succeeded('a', clock.now());
      clock.move(window / 4);
    }
    expect(stateOf()).toBe('closed');
  });
});

describe('an open one', () => {
  beforeEach(() => fail(inRow));

  test('lets one request through after its pause, no second one meanwhile', () => {
    clock.move(firstPause - 1);
    expect([stateOf(), probe()]).toEqual(['open', false]);
    clock.move(1);
    expect([stateOf(), probe(), probe()]).toEqual(['half_open', true, false]);
    expect(breakers.findOpen('a')?.probing).toBe(true);
  });

  test('closes when it succeeds, and needs the whole row to open again', () => {
    clock.move(firstPause);
    probe();
    breakers.succeeded('a', clock.now());
    expect([stateOf(), breakers.allClosed, breakers.isEmpty]).toEqual(['closed', true, true]);
    fail(inRow - 1);
    expect(stateOf()).toBe('closed');
  });

  test('pauses twice as long after each probe that failed, up to a limit', () => {
    let pause: number = firstPause;
    for (let round = 0; round < 8; round++) {
      clock.move(pause);
      expect(probe()).toBe(true);
      breakers.failed('a', true);
      pause = Math.min(2 * pause, longestPause);
      clock.move(pause - 1);
      expect(stateOf()).toBe('open');
      clock.move(1);
      expect(stateOf()).toBe('half_open');
    }
    expect(pause).toBe(longestPause);
  });

  test('is not moved by requests that began before it opened', () => {
    const before = clock.now() - 1;
    clock.move(firstPause / 2);
    breakers.succeeded('a', before);
    fail(3);
    expect(stateOf()).toBe('open');
    clock.move(firstPause / 2);
    expect(stateOf()).toBe('half_open');
    fail(3);
    expect([stateOf(), probe()]).toEqual(['half_open', true]);
  });

  test('closes at once after the success of a request sent anyway', () => {
    breakers.succeeded('a', clock.now());
    expect(stateOf()).toBe('closed');
  });

  test('admits another probe after an inconclusive one', () => {
    clock.move(firstPause);
    probe();
    breakers.releaseProbe('a');
    expect([stateOf(), probe()]).toEqual(['half_open', true]);
  });
});

test('health keys that are gone are forgotten, open ones too', () => {
  fail(inRow);
  fail(1, 'b');
  fail(inRow, 'c');
  breakers.keep(new Set(['b', 'c']));
  expect([stateOf('a'), stateOf('c'), breakers.allClosed]).toEqual(['closed', 'open', false]);
  breakers.keep(new Set());
  expect([breakers.isEmpty, breakers.allClosed]).toEqual([true, true]);
});

test('a health key that works again is forgotten after a while', () => {
  fail(1);
  clock.move(window + 1);
  breakers.succeeded('a', clock.now());
  expect(breakers.isEmpty).toBe(true);
});

test('a clock that is set back lets an open circuit be tried, and a success closes it', () => {
  fail(inRow);
  clock.move(-3_600_000);
  expect([stateOf(), probe()]).toEqual(['half_open', true]);
  breakers.succeeded('a', clock.now());
  expect(stateOf()).toBe('closed');
});

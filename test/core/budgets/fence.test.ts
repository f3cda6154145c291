/** Loops in the wires of agents, and conversations that are none (docs/rules/budgets.md#fences). */
import { describe, expect, it } from 'vitest';
import { requireInside, usedOfFence } from '../../../src/core/budgets/fence.ts';
import type { BodyFields } from '../../../src/core/canonical/pass-through.ts';
import { modelTurns, repeatsIn as repeats } from '../../../src/core/relay/admit/model-turns.ts';
import type { Budget, BudgetWindowRow } from '../../../src/core/storage/storage.ts';
import { fc, runs } from '../../support/property.ts';
import { newId, type Step, wires } from './agent-wires.ts';

const bodyOf = (body: Record<string, unknown>): BodyFields =>
  ({
    bytesOf: (name: string) =>
      body[name] === undefined ? undefined : Buffer.from(JSON.stringify(body[name])),
  }) as unknown as BodyFields;
const repeatsIn = (body: Record<string, unknown>) => repeats(bodyOf(body));

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const useful: readonly Step[] = times(5, (index) => ({
  tool: 'read',
  input: { file: `${index}.ts` },
}));
const build: Step = { tool: 'bash', input: { command: 'npm run build', timeout: 60 } };
const loops: Readonly<Record<string, readonly Step[]>> = {
  'the same call again and again': [...useful, ...times(8, () => build)],
  'the same words again and again': [...useful, ...times(8, () => ({ say: 'I will fix it now.' }))],
  'two agents that answer each other': [
    ...useful,
    ...times(8, () => [{ say: 'After you.' }, { say: 'No, after you.' }]).flat(),
  ],
  'a cycle of an edit, its test and the way back': [
    ...useful,
    ...times(8, () => [
      { tool: 'edit', input: { file: 'a.ts', text: 'x' } },
      build,
      { tool: 'edit', input: { file: 'a.ts', text: 'y' } },
    ]).flat(),
  ],
};

describe.each(Object.entries(wires))('in the wire of %s', (_, wire) => {
  it.each(Object.entries(loops))('%s is found with its eighth repetition', (_, steps) => {
    expect(repeatsIn(wire(steps))).toBe(8);
  });

  it('counts a fourth where the result is new, or the call waits', () => {
    const looked = (result: (index: number) => string, command: string) =>
      repeatsIn(
        wire(times(21, (index) => ({ tool: 'bash', input: { command }, result: result(index) }))),
      );
    expect(looked((index) => `${index} of 30`, 'show job')).toBe(6);
    expect(looked(() => 'it runs', 'sleep 60; show job')).toBe(6);
    expect(looked(() => 'it runs', 'show job')).toBe(21);
  });

  it('has no repetition in one answer to several questions', () => {
    const steps = times(20, (index) => ({ say: 'positive', reply: `and ${'so '.repeat(index)}?` }));
    expect(repeatsIn(wire(steps))).toBe(1);
    const asked = times(8, (index) => ({ say: 'I do it now.', reply: `Attempt ${index} of 30` }));
    expect(repeatsIn(wire(asked))).toBe(8);
  });

  it('what ended a loop is no loop any more', () => {
    const steps = [...times(9, () => build), { tool: 'edit', input: { file: 'b.ts' } }];
    expect(repeatsIn(wire(steps))).toBe(1);
  });

  it('work goes on: other arguments, other files, the same test after each edit', () => {
    // Blanks around words, and a turn of nothing else, say nothing.
    const words = fc.string().map((text) => text.trim());
    const step = fc.oneof(
      fc.record({ tool: fc.constant('read'), input: fc.record({ file: fc.string() }) }),
      fc.record({ say: words.filter((text) => text !== '') }),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(step, {
          minLength: 1,
          maxLength: 40,
          selector: (one) => JSON.stringify(one),
        }),
        (steps) => {
          const tested = steps.flatMap((one) => [one, build]);
          expect(repeatsIn(wire(tested))).toBe(1);
          // Somebody who waits for a build looks a few times.
          expect(repeatsIn(wire([...tested, build, build]))).toBe(3);
        },
      ),
      runs(250),
    );
  });
});

it('arguments are compared as what they say, not as they are spaced', () => {
  const call = (text: string) => ({
    role: 'assistant',
    tool_calls: [{ id: newId(), function: { name: 'a', arguments: text } }],
  });
  expect(repeatsIn({ messages: [call('{"a":1}'), call('{ "a": 1 }'), call('{"a":1}')] })).toBe(3);
  expect(repeatsIn({ messages: [call('{"a":1}'), call('{"a":2}')] })).toBe(1);
  expect(repeatsIn({ messages: [call('broken {'), call('broken {')] })).toBe(2);
});

it('a body that is no conversation has no turns', () => {
  for (const body of [{}, { input: 'hello' }, { messages: {} }, { messages: [1, null, 'x'] }])
    expect(modelTurns(bodyOf(body))).toEqual([]);
});

describe('a fence', () => {
  const fence = { budget: 'b', minutes: 10, from: 1000, repeats: 5, pace: 0 };

  it('ends with its minutes and with its repetitions', () => {
    expect(() => requireInside(fence, 1599, 4)).not.toThrow();
    expect(() => requireInside(fence, 1600, 4)).toThrow('fence_minutes');
    expect(() => requireInside(fence, 1599, 5)).toThrow('fence_repeats');
    expect(() => requireInside({ ...fence, minutes: 0, repeats: 0 }, 9999, 99)).not.toThrow();
  });

  it('is used by the part of it that is nearest to its end', () => {
    const budget = { mostRequests: 10, mostMinutes: 10, mostRepeats: 4, mostPace: 20 } as Budget;
    const window = {
      requests: 3,
      extraRequests: 0,
      startsAt: 1000,
      fencedFrom: 0,
      repeats: 1,
      grants: 0,
      pace: 0,
    } as BudgetWindowRow;
    expect(usedOfFence(budget, window, 1000)).toBe(30);
    expect(usedOfFence(budget, window, 1300)).toBe(50);
    expect(usedOfFence(budget, { ...window, repeats: 3 }, 1300)).toBe(75);
    expect(usedOfFence(budget, { ...window, pace: 18 }, 1000)).toBe(90);
    // After a grant everything begins anew.
    const granted = { ...window, extraRequests: 10, requests: 10, fencedFrom: 1600, grants: 1 };
    expect(usedOfFence(budget, { ...granted, repeats: 4 }, 1600)).toBe(50);
  });
});

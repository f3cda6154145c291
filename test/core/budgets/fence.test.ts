/** Loops in the wires of agents, and conversations that are none (docs/rules/budgets.md#fences). */
import { describe, expect, it } from 'vitest';
import { repeatsOf, requireInside, usedOfFence } from '../../../src/core/budgets/fence.ts';
import type { BodyFields } from '../../../src/core/canonical/provider.ts';
import { modelTurns } from '../../../src/core/relay/admit/model-turns.ts';
import type { Budget, BudgetWindowRow } from '../../../src/core/storage/storage.ts';
import { fc, runs } from '../../support/property.ts';

const bodyOf = (body: Record<string, unknown>): BodyFields =>
  ({
    bytesOf: (name: string) =>
      body[name] === undefined ? undefined : Buffer.from(JSON.stringify(body[name])),
  }) as unknown as BodyFields;
const repeatsIn = (body: Record<string, unknown>) => repeatsOf(modelTurns(bodyOf(body)));

let serial = 0;
const newId = () => {
  serial += 1;
  return `id_${serial}`;
};

/** A step of an agent: a call with its result, or words. */
type Step = { readonly tool: string; readonly input: unknown } | { readonly say: string };
type Wire = (steps: readonly Step[]) => Record<string, unknown>;

/** Claude Code: Messages, with thinking and words beside a call. */
const claudeCode: Wire = (steps) => ({
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'fix the build' }] },
    ...steps.flatMap((step): readonly object[] => {
      if ('say' in step)
        return [
          { role: 'assistant', content: [{ type: 'text', text: step.say }] },
          { role: 'user', content: 'go on' },
        ];
      const id = newId();
      return [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: `now ${id}`, signature: id },
            { type: 'text', text: `Let me look again (${id})` },
            { type: 'tool_use', id, name: step.tool, input: step.input },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: `${id} failed` }],
        },
      ];
    }),
  ],
});

/** Codex and the Agents SDK: Responses, calls as items, reasoning between them. */
const codex: Wire = (steps) => ({
  input: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'fix the build' }] },
    ...steps.flatMap((step): readonly object[] => {
      if ('say' in step) {
        const content = [{ type: 'output_text', text: step.say }];
        return [
          { type: 'message', id: newId(), role: 'assistant', content },
          { role: 'user', content: 'go on' },
        ];
      }
      const id = newId();
      return [
        { type: 'reasoning', id: newId(), encrypted_content: id },
        {
          ...{ type: 'message', id: newId(), role: 'assistant', phase: 'commentary' },
          content: [{ type: 'output_text', text: `Let me look again (${id})` }],
        },
        {
          type: 'function_call',
          call_id: id,
          name: step.tool,
          arguments: JSON.stringify(step.input),
        },
        { type: 'function_call_output', call_id: id, output: `${id} failed` },
      ];
    }),
  ],
});

/** The Agents SDK with chat models. */
const chat: Wire = (steps) => ({
  messages: [
    { role: 'system', content: 'You are an agent' },
    { role: 'user', content: 'fix the build' },
    ...steps.flatMap((step): readonly object[] => {
      if ('say' in step)
        return [
          { role: 'assistant', content: step.say },
          { role: 'user', content: 'go on' },
        ];
      const id = newId();
      const called = { name: step.tool, arguments: JSON.stringify(step.input, null, 2) };
      return [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: called }],
        },
        { role: 'tool', tool_call_id: id, content: `${id} failed` },
      ];
    }),
  ],
});

/** Google's SDK. */
const gemini: Wire = (steps) => ({
  contents: [
    { role: 'user', parts: [{ text: 'fix the build' }] },
    ...steps.flatMap((step): readonly object[] =>
      'say' in step
        ? [
            { role: 'model', parts: [{ text: step.say }] },
            { role: 'user', parts: [{ text: 'go on' }] },
          ]
        : [
            { role: 'model', parts: [{ functionCall: { name: step.tool, args: step.input } }] },
            { role: 'user', parts: [{ functionResponse: { name: step.tool, response: {} } }] },
          ],
    ),
  ],
});

const wires = { claudeCode, codex, chat, gemini };
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

  it('what ended a loop is no loop any more', () => {
    const steps = [...times(9, () => build), { tool: 'edit', input: { file: 'b.ts' } }];
    expect(repeatsIn(wire(steps))).toBe(1);
  });

  it('work goes on: other arguments, other files, the same test after each edit', () => {
    const step = fc.oneof(
      fc.record({ tool: fc.constant('read'), input: fc.record({ file: fc.string() }) }),
      fc.record({ say: fc.string({ minLength: 1 }) }),
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
      ...{
        requests: 3,
        extraRequests: 0,
        startsAt: 1000,
        fencedFrom: 0,
        repeats: 1,
        grants: 0,
        pace: 0,
      },
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

// Covers src/core/relay/admit/model-turns.ts
/** The end of a conversation says the same of its repetitions as all of it (docs/rules/budgets.md#fences). */
import { expect, it } from 'vitest';
import { repeatsOf } from '../../../../src/core/budgets/fence.ts';
import { lastItems } from '../../../../src/core/relay/admit/last-items.ts';
import { modelTurns, repeatsIn } from '../../../../src/core/relay/admit/model-turns.ts';
import { fc, runs } from '../../../support/property.ts';
import { type Step, wires } from '../../budgets/agent-wires.ts';
import { bodyOf } from '../../budgets/body-of.ts';

const nasty = fc.constantFrom('"', '\\', '\\"', '[', '],', '{}', ',', '\\\\"', 'é', '\n', 'plain');

it('are those that a parse of all finds, whatever stands in their texts', () => {
  const text = fc.array(nasty, { maxLength: 6 }).map((parts) => parts.join(''));
  const item = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.dictionary(text, text));
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 12 }),
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom(undefined, 2, '\t'),
      (items, count, indent) => {
        const bytes = Buffer.from(` ${JSON.stringify(items, null, indent)}\n`);
        const found = lastItems(bytes, count);
        const parsed = JSON.parse(bytes.toString()) as unknown[];
        expect(found).toEqual(items.length > count ? parsed.slice(-count) : undefined);
      },
    ),
    runs(500),
  );
});

it.each(['', '[', ']', '"', '[1,2', '1,2]', '[1,"a]', '[{,2,3]', '[1,}2,3]', '[a",b",c,d]'])(
  'are none of %j, or what is well-formed there',
  (text) => {
    const found = lastItems(Buffer.from(text), 1);
    if (found !== undefined) expect(found).toHaveLength(1);
  },
);

/** So much that conversations are long. */
const output = 'a line of "text" \\ '.repeat(400);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    tool: fc.constantFrom('Read', 'Bash'),
    input: fc.record({ command: fc.oneof(nasty, fc.constant('npm test')) }),
    result: fc.oneof(nasty, fc.constant('failed'), fc.constant(output)),
  }),
  fc.record({ say: fc.constantFrom('Done.', 'I will try "it" again.'), reply: nasty }),
);

/** Work, then a cycle as often as it comes: short of the limit, beyond it, or all of it. */
const conversation = fc
  .record({
    before: fc.array(step, { maxLength: 60 }),
    cycle: fc.array(step, { minLength: 1, maxLength: 4 }),
    times: fc.integer({ min: 0, max: 30 }),
    after: fc.array(step, { maxLength: 2 }),
  })
  .map(({ before, cycle, times, after }) => [
    ...before,
    ...Array.from({ length: times }, () => cycle).flat(),
    ...after,
  ]);

it.each(Object.entries(wires))(
  'in the wire of %s its repetitions are counted the same',
  (_, wire) => {
    let long = 0;
    fc.assert(
      fc.property(conversation, (steps) => {
        const body = bodyOf(wire, steps);
        const all = modelTurns(body);
        if (all.length > 20 && JSON.stringify(wire(steps)).length > 40_000) long += 1;
        expect(repeatsIn(body)).toBe(repeatsOf(all));
      }),
      runs(150),
    );
    expect(long).toBeGreaterThan(20);
  },
);

it('of a long conversation only the end is read', () => {
  const steps = Array.from({ length: 200 }, (_, index) => ({
    tool: 'Read',
    input: { file: `${index}.ts` },
    result: output,
  }));
  const bytes = Buffer.from(JSON.stringify(wires.chat(steps)['messages']));
  // What is malformed at the beginning is not looked at.
  const broken = Buffer.concat([Buffer.from('[{"role": nonsense},'), bytes.subarray(1)]);
  const body = { bytesOf: (name: string) => (name === 'messages' ? broken : undefined) };
  expect(repeatsIn(body as never)).toBe(1);
  expect(lastItems(broken, 40)).toHaveLength(40);
});

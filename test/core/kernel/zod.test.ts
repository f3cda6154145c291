import { expect, test } from 'vitest';
import { z as zod } from 'zod';
import { z } from '../../../src/core/kernel/zod.ts';

/** A shape that counts how often it is read. */
function countedShape() {
  const count = { reads: 0 };
  const shape = {
    get name() {
      count.reads++;
      return z.string().min(1);
    },
  };
  return { shape, count };
}

test('a schema is made when it is first used, and once', () => {
  const { shape, count } = countedShape();
  const schema = z.object(shape);
  const further = schema.extend({ id: z.number() }).optional().readonly();
  expect(count.reads).toBe(0);
  expect(schema.parse({ name: 'a' })).toEqual({ name: 'a' });
  const reads = count.reads;
  expect(reads).toBeGreaterThan(0);
  expect(further.parse({ name: 'a', id: 1 })).toEqual({ name: 'a', id: 1 });
  expect(schema.safeParse({ name: '' }).success).toBe(false);
  expect(count.reads).toBe(reads);
});

test('the shape of a schema that is not made yet can be spread, extended and picked from', () => {
  const base = z.object({ email: z.email(), max: z.number().int(), length: z.string() });
  const { shape } = base;
  expect(z.object({ ...shape }).parse({ email: 'a@b.cd', max: 1, length: 'x' })).toBeTruthy();
  expect(base.extend({ id: z.int() }).shape.id.parse(2)).toBe(2);
  expect(Object.keys(base.pick({ max: true, email: true }).shape)).toEqual(['max', 'email']);
  expect(Object.keys(base.omit({ max: true }).shape)).toEqual(['email', 'length']);
  // Fields that are named as methods of schemas.
  expect(shape.email.safeParse('no').success).toBe(false);
  expect(base.shape.max.parse(3)).toBe(3);
  const wider = z.object({ other: z.boolean() }).extend(z.object({ min: z.string() }).shape);
  expect(wider.parse({ other: true, min: 'a' })).toEqual({ other: true, min: 'a' });
});

test('schemas are what zod makes, also of what is declared after use', () => {
  const declare = (on: Pick<typeof z, 'object' | 'string' | 'number' | 'array' | 'union'>) => {
    const page = on.object({ p: on.number().int().min(1).default(1) });
    page.parse({});
    return page.extend({
      ids: on.array(on.union([on.string(), on.number()])).max(3),
      key: on.string().trim().meta({ maxLength: 5 }).default(''),
      note: on.string().nullable().optional(),
      rows: on.array(on.array(page).element.extend({ more: on.string().optional() })),
      p: page.shape.p.or(on.string()),
    });
  };
  const ours = declare(z);
  // zod itself is given a stand-in here.
  for (const made of [z.toJSONSchema(ours), zod.toJSONSchema(ours)])
    expect(made).toEqual(zod.toJSONSchema(declare(zod)));
  expect(ours).toBeInstanceOf(zod.ZodObject);
  expect(ours).not.toBeInstanceOf(z.ZodArray);
});

test('what is known of a schema can be read without making another', () => {
  const described = z.string().meta({ title: 'Name' });
  expect(described.meta()).toEqual({ title: 'Name' });
  expect(z.string().optional().unwrap().parse('a')).toBe('a');
});

test('a problem says what zod says', () => {
  const path = z.object({ a: z.array(z.int()) }).safeParse({ a: [1, 'b'] }).error?.issues[0]?.path;
  expect(path).toEqual(['a', 1]);
});

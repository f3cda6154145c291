import { expect, it } from 'vitest';
import type { BodyFields } from '../../../../src/core/canonical/provider.ts';
import { beginningOf } from '../../../../src/core/relay/select/beginning.ts';

const bodyOf = (messages: string) =>
  ({
    bytesOf: (name: string) => (name === 'messages' ? Buffer.from(messages) : undefined),
  }) as unknown as BodyFields;
const turn = (content: string) => JSON.stringify({ role: 'user', content });

it('is the first turn, and goes on with a second', () => {
  const first = beginningOf(bodyOf(`[${turn('hi')}]`));
  const second = beginningOf(bodyOf(`[${turn('hi')},${turn('more')}]`));
  expect(first).toMatchObject({ continues: false });
  expect(second).toEqual({ hash: first?.hash, continues: true });
  expect(beginningOf(bodyOf(`[${turn('ho')}]`))?.hash).not.toBe(first?.hash);
});

it.each([
  ['numbers', `[${'1,'.repeat(200_000)}${turn('hi')}]`],
  ['quotation marks', `[${turn('"'.repeat(200_000))},${turn('hi')}]`],
  ['backslashes', `[${turn('\\'.repeat(200_000))},${turn('hi')}]`],
])('is not searched for behind endless %s', (_, messages) => {
  expect(beginningOf(bodyOf(messages))).toBeUndefined();
});

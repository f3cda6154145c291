import { expect, it } from 'vitest';
import type { BodyFields } from '../../../../src/core/canonical/pass-through.ts';
import { agentOf, beginningOf } from '../../../../src/core/relay/select/beginning.ts';

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

const mark = { cache_control: { type: 'ephemeral' } };
const marked = (text: string) =>
  JSON.stringify({ role: 'user', content: [{ type: 'text', text, ...mark }] });
const hashOf = (...turns: string[]) => beginningOf(bodyOf(`[${turns.join(',')}]`))?.hash;

it.each([
  ['short', 'hi'],
  ['long', 'Look at this. '.repeat(4000)],
])('is the same when the mark of a %s turn has moved on', (_, text) => {
  expect(hashOf(marked(text))).toBe(hashOf(turn(text), marked('more')));
  expect(hashOf(marked(text))).not.toBe(hashOf(marked(`Or ${text}`)));
});

it('is another where a turn has more than a text', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://images.example/1' } };
  const seen = JSON.stringify({ role: 'user', content: [{ type: 'text', text: 'hi' }, image] });
  expect(hashOf(seen)).not.toBe(hashOf(turn('hi')));
});

it.each([
  ['first', (content: string) => ({ role: 'system', content })],
  ['last', (content: string) => ({ content, role: 'developer' })],
])('is no long system prompt, whose role stands %s', (_, write) => {
  const system = JSON.stringify(write('Be "brief", {"role": "user"}. '.repeat(2000)));
  const first = beginningOf(bodyOf(`[${system},${turn('hi')}]`));
  expect(first?.continues).toBe(false);
  expect(hashOf(system, turn('ho'))).not.toBe(first?.hash);
  expect(beginningOf(bodyOf(`[${system}]`))).toBeUndefined();
  const body = bodyOf(`[${system},${turn('hi')}]`);
  expect(agentOf(body)).toBeDefined();
  expect(agentOf(bodyOf(`[${system},${turn('ho')}]`))).toBe(agentOf(body));
  // Words of a user are not what a turn is.
  const user = turn('{"role":"system"} '.repeat(4000));
  expect(beginningOf(bodyOf(`[${user},${turn('hi')}]`))).toMatchObject({ continues: true });
});

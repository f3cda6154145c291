// Covers src/core/relay/formats/cohere-chat.
/** What Cohere's stream leaves out of an answer that it has no place for. */
import { describe, expect, it } from 'vitest';
import type { StreamPart } from '../../../../src/core/canonical/chat-reply.ts';
import { CohereStreamEncoder } from '../../../../src/core/relay/formats/cohere-chat/stream.ts';

/** The events of a stream, in their order. */
function eventsOf(parts: readonly StreamPart[]): readonly { readonly type: string }[] {
  const encoder = new CohereStreamEncoder({ id: 'r1', model: 'm', created: 0 });
  const text = parts.map((part) => encoder.push(part)).join('') + encoder.end();
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  return data.map((line) => JSON.parse(line.slice('data: '.length)));
}

const typesOf = (parts: readonly StreamPart[]) => eventsOf(parts).map(({ type }) => type);
const plain = ['message-start', 'content-start', 'content-delta', 'content-end', 'message-end'];
const hello: StreamPart = { type: 'text-delta', text: 'Hello' };

describe('a stream of Cohere', () => {
  it.each<[string, readonly StreamPart[]]>([
    ['a second answer', [hello, { type: 'text-delta', text: 'Hi', choice: 1 }]],
    [
      'an empty text',
      [{ type: 'text-delta', text: '' }, hello, { type: 'reasoning-delta', text: '' }],
    ],
    [
      'arguments of a call that has no name',
      [hello, { type: 'tool-call-delta', index: 0, arguments: '{}' }],
    ],
    [
      'a source without a place',
      [hello, { type: 'annotation', annotation: { url: 'https://a.example' } }],
    ],
  ])('has no event for %s', (_, parts) => {
    expect(typesOf(parts)).toEqual(plain);
  });

  it('keeps the id that came first, and begins once', () => {
    const events = eventsOf([{ type: 'start', id: 'a' }, hello, { type: 'start', id: 'b' }, hello]);
    expect(events[0]).toMatchObject({ type: 'message-start', id: 'a' });
    expect(events.filter(({ type }) => type === 'message-start')).toHaveLength(1);
  });

  it('ends as the first answer ended', () => {
    const finish = { type: 'finish', raw: null } as const;
    const events = eventsOf([
      hello,
      { ...finish, reason: 'length' },
      { ...finish, reason: 'stop', choice: 1 },
    ]);
    expect(events.at(-1)).toMatchObject({ delta: { finish_reason: 'MAX_TOKENS' } });
  });
});

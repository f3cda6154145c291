/** What there is to count of a request, by its format (docs/rules/metering.md). */
import { expect, it } from 'vitest';
import { readCallerBody } from '../../../../src/core/relay/body/body-fields.ts';
import {
  countableRequest,
  sidesToCount,
} from '../../../../src/core/relay/charge/countable-request.ts';
import { callerFormats } from '../../../../src/core/relay/formats/index.ts';
import type { WireFormat } from '../../../../src/core/vocabulary/wire-formats.ts';

const jobOf = (format: WireFormat, body: object) => ({
  format: callerFormats[format],
  body: readCallerBody(Buffer.from(JSON.stringify(body))),
  model: 'gpt-4o',
  stream: false,
});
const user = (content: string) => [{ role: 'user', content }];

it.each<[string, WireFormat, object, readonly string[], number]>([
  ['a text', 'openai-embeddings', { input: 'one' }, ['one'], 0],
  ['tokens', 'openai-embeddings', { input: [1, 2] }, [], 2],
  ['a list of both: its texts', 'openai-embeddings', { input: [1, 'one'] }, ['one'], 0],
  [
    'a conversation and its marks',
    'openai-chat',
    { model: 'm', messages: user('one') },
    ['one'],
    7,
  ],
  [
    'one that cannot be read: its texts',
    'openai-chat',
    { messages: [{ content: ['one'] }] },
    ['one'],
    0,
  ],
  ['another call: its texts', 'openai-images', { prompt: 'one' }, ['one'], 0],
])('%s', (_, format, body, texts, tokens) => {
  const counted = countableRequest(jobOf(format, body));
  expect([counted.texts, counted.tokens]).toEqual([texts, tokens]);
});

it('both sides are counted only when they are needed; a reply that is not read has no text', () => {
  const { input, output } = sidesToCount(jobOf('openai-embeddings', { input: 'one' }));
  expect(input?.().texts).toEqual(['one']);
  expect(output?.()).toMatchObject({ texts: [''], tokens: 0 });
});

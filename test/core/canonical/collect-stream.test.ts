import { describe, expect, it } from 'vitest';
import type { ChatReply, StreamPart } from '../../../src/core/canonical/chat-reply.ts';
import {
  createStreamCollector,
  streamOfReply,
} from '../../../src/core/canonical/kit/collect-stream.ts';

const collect = (...steps: readonly StreamPart[][]) => {
  const collector = createStreamCollector();
  for (const parts of steps) collector.push(parts);
  return collector.reply();
};

const reply: ChatReply = {
  id: 'x',
  model: 'm',
  choices: [
    {
      index: 0,
      content: [
        { type: 'reasoning', text: 'Hm.', signature: 's1', origin: 'anthropic-messages' },
        { type: 'reasoning', text: '', redacted: 'r', origin: 'anthropic-messages' },
        { type: 'text', text: 'Look: ', signature: 't' },
        { type: 'text', text: 'there ' },
        { type: 'tool-call', id: 'c1', name: 'look', arguments: '{"at":1}', signature: 'g' },
        { type: 'tool-call', id: 'c2', name: 'look', arguments: '{"at":2}' },
        { type: 'image', mediaType: 'image/png', data: 'QUJD' },
        { type: 'text', text: 'Done.' },
        { type: 'audio', data: 'QUJD', format: 'wav', transcript: 'Hm', id: 'a1', expiresAt: 9 },
      ],
      finish: 'stop',
      rawFinish: 'end_turn',
      stopSequence: 'END',
      annotations: [{ url: 'https://source.example', title: 'Source' }],
      logprobs: { content: [{ token: 'Look' }] },
    },
    {
      index: 1,
      content: [{ type: 'refusal', text: 'No.' }],
      finish: 'content-filter',
      rawFinish: null,
    },
  ],
  usage: { promptTokens: 3, completionTokens: 4 },
};

it('pieces of sound become one', () => {
  const piece = (text: string): StreamPart => ({
    type: 'audio',
    data: Buffer.from(text).toString('base64'),
    format: 'pcm16',
  });
  expect(collect([piece('a'), piece('bc')]).choices[0]?.content).toEqual([
    { type: 'audio', data: 'YWJj', format: 'pcm16' },
  ]);
  const words = (transcript: string): StreamPart => ({
    type: 'audio',
    data: '',
    format: 'pcm16',
    transcript,
  });
  const end: StreamPart = { type: 'audio', data: '', format: 'pcm16', id: 'a1', expiresAt: 9 };
  expect(
    collect([words('a'), piece('a'), words('b'), end, piece('b')]).choices[0]?.content,
  ).toEqual([
    { type: 'audio', data: 'YWI=', format: 'pcm16', transcript: 'ab', id: 'a1', expiresAt: 9 },
  ]);
});

it('a reply becomes a stream and the same reply again', () => {
  expect(collect([...streamOfReply(reply)])).toEqual(reply);
});

describe('a stream', () => {
  it('adds up piece by piece, calls by their number', () => {
    const call = (index: number, args: string, id?: string): StreamPart => {
      return {
        type: 'tool-call-delta',
        index,
        arguments: args,
        ...(id === undefined ? {} : { id, name: `f${index}` }),
      };
    };
    const { choices, usage } = collect(
      [{ type: 'text-delta', text: 'He', logprobs: { content: [1] } }],
      [{ type: 'text-delta', text: 'llo', logprobs: { content: [2] } }],
      [call(0, '{', 'a'), call(1, '[', 'b'), call(0, '}'), call(1, ']')],
      [
        { type: 'usage', usage: { promptTokens: 5 } },
        { type: 'usage', usage: { completionTokens: 6 } },
      ],
      [{ type: 'finish', reason: 'tool-calls', raw: 'tool_calls' }],
    );
    expect(choices[0]).toEqual({
      index: 0,
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'tool-call', id: 'a', name: 'f0', arguments: '{}' },
        { type: 'tool-call', id: 'b', name: 'f1', arguments: '[]' },
      ],
      finish: 'tool-calls',
      rawFinish: 'tool_calls',
      logprobs: { content: [1, 2] },
    });
    expect(usage).toEqual({ promptTokens: 5, completionTokens: 6 });
  });

  it('keeps thoughts apart that are proved apart', () => {
    const think = (text: string, id?: string): StreamPart => ({
      type: 'reasoning-delta',
      text,
      ...(id === undefined ? {} : { id }),
    });
    const proof: StreamPart = {
      type: 'reasoning-signature',
      signature: 's',
      origin: 'anthropic-messages',
    };
    const texts = (...parts: StreamPart[]) =>
      collect(parts).choices[0]?.content.map((part) => (part as { text: string }).text);
    expect(texts(think('a'), think('b'), proof, think('c'))).toEqual(['ab', 'c']);
    expect(texts(think('a', 'r1'), think('b', 'r1'), think('c', 'r2'))).toEqual(['ab', 'c']);
  });

  it('that failed is a failure', () => {
    const failed = () =>
      collect(
        [{ type: 'text-delta', text: 'a' }],
        [{ type: 'error', error: { status: 529, message: 'busy' } }],
      );
    expect(failed).toThrow(expect.objectContaining({ error: { status: 529, message: 'busy' } }));
  });
});

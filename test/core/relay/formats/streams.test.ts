// Covers src/core/relay/formats/shared.
/** The order of events, as text. */
import { describe, expect, it } from 'vitest';
import type { StreamPart } from '../../../../src/core/canonical/chat-reply.ts';
import { foreignSignature } from '../../../../src/core/canonical/kit/foreign-signature.ts';
import { anthropicMessages } from '../../../../src/core/relay/formats/anthropic-messages/index.ts';
import { geminiGenerate } from '../../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../../src/core/relay/formats/openai-chat/index.ts';
import type {
  ChatTranslation,
  ReplyContext,
} from '../../../../src/core/relay/formats/shared/chat-translation.ts';

const context: ReplyContext = { id: 'x', model: 'm', created: 1 };

function eventsOf(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => (line === 'data: [DONE]' ? '[DONE]' : JSON.parse(line.slice(6))));
}

function run(
  format: ChatTranslation,
  parts: readonly StreamPart[],
  changes: Partial<ReplyContext> = {},
) {
  const encoder = format.createStreamEncoder({ ...context, ...changes });
  return {
    content: eventsOf(parts.map((part) => encoder.push(part)).join('')),
    terminal: eventsOf(encoder.end()),
  };
}

const answer: readonly StreamPart[] = [
  { type: 'start', id: 'up', model: 'other' },
  { type: 'usage', usage: { promptTokens: 9 } },
  { type: 'text-delta', text: 'Hi' },
  { type: 'finish', reason: 'length', raw: 'length' },
  { type: 'usage', usage: { completionTokens: 2 } },
];

describe('chat streams', () => {
  const head = { id: 'chatcmpl-x', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });

  it('role first, what closes the stream only at its end, no usage unasked', () => {
    expect(run(openAiChat, answer)).toEqual({
      content: [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hi' })],
      terminal: [chunk({}, 'length'), '[DONE]'],
    });
  });

  it('usage where requested, after the finish', () => {
    const { terminal } = run(openAiChat, answer, { includeUsage: true });
    expect(terminal).toHaveLength(3);
    expect(terminal[1]).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
    });
  });

  it('one role and one finish even for an empty reply', () => {
    expect(run(openAiChat, []).terminal).toEqual([
      chunk({ role: 'assistant', content: '' }),
      chunk({}, 'stop'),
      '[DONE]',
    ]);
  });

  it('names a call once', () => {
    const { content } = run(openAiChat, [
      { type: 'tool-call-delta', index: 0, id: 'c', name: 'f', arguments: '' },
      { type: 'tool-call-delta', index: 0, arguments: '{}' },
    ]);
    expect(content.slice(1)).toEqual([
      chunk({
        tool_calls: [
          { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } },
        ],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
    ]);
  });

  it('settled usage wins over reported usage', () => {
    const encoder = openAiChat.createStreamEncoder({ ...context, includeUsage: true });
    for (const part of answer) encoder.push(part);
    expect(eventsOf(encoder.end({ promptTokens: 1, completionTokens: 1 }))[1]).toMatchObject({
      usage: { total_tokens: 2 },
    });
  });
});

describe('message streams', () => {
  const types = (events: readonly unknown[]) =>
    events.map(
      (event) =>
        (event as { type: string; index?: number }).type +
        ((event as { index?: number }).index ?? ''),
    );

  it('open and close each block before the next', () => {
    const { content, terminal } = run(anthropicMessages, [
      { type: 'reasoning-delta', text: 'r' },
      { type: 'text-delta', text: 'a' },
      { type: 'tool-call-delta', index: 0, id: 'c', name: 'f', arguments: '{' },
      { type: 'text-delta', text: 'b' },
      { type: 'tool-call-delta', index: 0, arguments: '}' },
      ...answer,
    ]);
    expect(types(content)).toEqual([
      'message_start',
      'content_block_start0',
      'content_block_delta0',
      'content_block_delta0',
      'content_block_stop0',
      'content_block_start1',
      'content_block_delta1',
      'content_block_stop1',
      'content_block_start2',
      'content_block_delta2',
      'content_block_delta2',
      'content_block_stop2',
      'content_block_start3',
      'content_block_delta3',
      'content_block_delta3',
    ]);
    expect(types(terminal)).toEqual(['content_block_stop3', 'message_delta', 'message_stop']);
  });

  it('report prompt tokens at the start, as an estimate if necessary', () => {
    const start = (parts: readonly StreamPart[]) =>
      run(anthropicMessages, parts, { estimatedPromptTokens: 77 }).content[0];
    expect(start(answer)).toMatchObject({
      message: { usage: { input_tokens: 9, output_tokens: 0 } },
    });
    expect(start([{ type: 'text-delta', text: 'x' }])).toMatchObject({
      message: { usage: { input_tokens: 77 } },
    });
  });

  it('carry the signatures of others with where they belong', () => {
    const parts: StreamPart[] = [
      { type: 'reasoning-delta', text: 'hm', id: 'rs_1' },
      { type: 'reasoning-signature', signature: 's', origin: 'openai-responses', id: 'rs_1' },
      { type: 'reasoning-redacted', data: 'd', origin: 'openai-responses' },
    ];
    const { content } = run(anthropicMessages, parts);
    expect(JSON.stringify(content)).toContain(`${foreignSignature}:openai-responses:redacted::d`);
    const signature = `${foreignSignature}:openai-responses:signature:rs_1:s`;
    expect(JSON.stringify(content)).toContain(signature);
  });

  it('keep thinking apart that is signed apart, with and without a text', () => {
    const signed = (signature: string, text: string): StreamPart[] => [
      { type: 'reasoning-delta', text },
      { type: 'reasoning-signature', signature, origin: 'anthropic-messages' },
    ];
    const { content, terminal } = run(anthropicMessages, [
      ...signed('one', 'first'),
      ...signed('two', 'second'),
      ...signed('three', ''),
      { type: 'text-delta', text: 'Hi' },
    ]);
    const blocks: { thinking: string; signature: string; text: string }[] = [];
    for (const event of [...content, ...terminal] as Record<string, unknown>[]) {
      if (event['type'] === 'content_block_start')
        blocks.push({ thinking: '', signature: '', text: '' });
      const block = blocks.at(-1);
      for (const [name, value] of Object.entries(event['delta'] ?? {}))
        if (block !== undefined && name in block) block[name as 'text'] += String(value);
    }
    expect(blocks).toEqual([
      { thinking: 'first', signature: 'one', text: '' },
      { thinking: 'second', signature: 'two', text: '' },
      { thinking: '', signature: 'three', text: '' },
      { thinking: '', signature: '', text: 'Hi' },
    ]);
  });

  it('say refusal', () => {
    const { terminal } = run(anthropicMessages, [
      { type: 'refusal-delta', text: 'No.' },
      { type: 'finish', reason: 'stop', raw: 'stop' },
    ]);
    expect(terminal.at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' } });
  });
});

describe('a refusal for callers of Gemini', () => {
  it('is the finish message of a stream, not text of the answer', () => {
    const { content, terminal } = run(geminiGenerate, [
      { type: 'text-delta', text: 'Well, ' },
      { type: 'refusal-delta', text: 'I can' },
      { type: 'refusal-delta', text: 'not.' },
      { type: 'finish', reason: 'stop', raw: 'stop' },
    ]);
    expect(content).toMatchObject([{ candidates: [{ content: { parts: [{ text: 'Well, ' }] } }] }]);
    expect(terminal).toMatchObject([
      { candidates: [{ finishReason: 'SAFETY', finishMessage: 'I cannot.' }] },
    ]);
    expect(JSON.stringify([content, terminal]).match(/I can/g)).toHaveLength(1);
  });

  it('is the finish message of a whole reply', () => {
    const content = [
      { type: 'text', text: 'Well, ' },
      { type: 'refusal', text: 'I cannot.' },
    ] as const;
    const choice = { index: 0, content, finish: 'content-filter', rawFinish: 'refusal' } as const;
    expect(geminiGenerate.writeReply({ choices: [choice] }, context)).toMatchObject({
      candidates: [
        {
          content: { parts: [{ text: 'Well, ' }] },
          finishReason: 'SAFETY',
          finishMessage: 'I cannot.',
        },
      ],
    });
  });

  it('no other answer has one', () => {
    expect(JSON.stringify(run(geminiGenerate, answer))).not.toContain('finishMessage');
  });
});

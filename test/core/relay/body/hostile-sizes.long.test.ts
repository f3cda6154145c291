/** Texts, streams and bodies built to be slow: the work grows linearly with their length. */

import { expect, it } from 'vitest';
import type { StreamPart } from '../../../../src/core/canonical/chat-reply.ts';
import { usageFromAnthropic } from '../../../../src/core/canonical/kit/anthropic-usage.ts';
import { createStreamCollector } from '../../../../src/core/canonical/kit/collect-stream.ts';
import { createFrameReader } from '../../../../src/core/canonical/kit/frames.ts';
import { mergeTurns } from '../../../../src/core/canonical/kit/plain-turns.ts';
import { sourcesByText } from '../../../../src/core/canonical/kit/sources.ts';
import type { Provider } from '../../../../src/core/canonical/provider.ts';
import type { JsonObject, JsonValue } from '../../../../src/core/kernel/json.ts';
import { anthropic } from '../../../../src/core/providers/anthropic/index.ts';
import { ThinkMarks } from '../../../../src/core/providers/dify/think-marks.ts';
import { gemini } from '../../../../src/core/providers/gemini/index.ts';
import { toGeminiSchema } from '../../../../src/core/providers/gemini/schema.ts';
import { writeMistralMessages } from '../../../../src/core/providers/mistral/messages.ts';
import { openai } from '../../../../src/core/providers/openai/index.ts';
import { alternateMessages } from '../../../../src/core/providers/perplexity/messages.ts';
import { readV3Reply } from '../../../../src/core/providers/zhipu/v3-decode.ts';
import { readBody } from '../../../../src/core/relay/body/body-fields.ts';
import type { RequestBody } from '../../../../src/core/relay/body/request-body.ts';
import { FinishedChoices } from '../../../../src/core/relay/carry/finished-choices.ts';
import { ChunkBuffer, StreamTail } from '../../../../src/core/relay/carry/stream-buffers.ts';
import { FileBudget } from '../../../../src/core/relay/files/file-fetcher.ts';
import { writeGrounding } from '../../../../src/core/relay/formats/gemini-generate/grounding.ts';
import { geminiGenerate } from '../../../../src/core/relay/formats/gemini-generate/index.ts';
import { callerFormats } from '../../../../src/core/relay/formats/index.ts';
import { openAiChat } from '../../../../src/core/relay/formats/openai-chat/index.ts';
import { openAiResponses } from '../../../../src/core/relay/formats/openai-responses/index.ts';
import { affinityKey } from '../../../../src/core/relay/select/affinity-key.ts';
import { GatheredBytes } from '../../../../src/core/upstream/gathered-bytes.ts';
import { changeAt } from '../../../../src/core/upstream/rules/json-path.ts';
import { testCall } from '../../../contract/providers/support/call.ts';

/**
 * More values than a function call accepts as arguments; quadratic work over them takes minutes.
 */
const many = 130_000;
const list = <T>(write: (index: number) => T, length = many): T[] =>
  Array.from({ length }, (_, index) => write(index));
const named = <T>(write: (index: number) => T, length = many) =>
  Object.fromEntries(list((index) => [`p${index}`, write(index)], length));
const collected = (parts: readonly StreamPart[]) => {
  const collector = createStreamCollector();
  collector.push(parts);
  return collector.reply().choices[0];
};
const encoded = (model: string, body: JsonObject) =>
  gemini.operations.chat?.encode(openAiChat.readRequest({ model, ...body }), testCall({ model }))
    .body;

function forwarded(format: keyof typeof callerFormats) {
  const found = callerFormats[format].forward;
  if (found === undefined) throw new Error(`${format} is not forwarded`);
  return found;
}

it('finds the end of streams among very many events that only look like it', {
  timeout: 20_000,
}, () => {
  const words =
    'data: {"type":"x","choices":[1],"of":["message_stop","message_delta","response.completed","error"],"usage":{}}\n\n'.repeat(
      30_000,
    );
  for (const format of [
    'anthropic-messages',
    'openai-responses',
    'openai-chat',
    'gemini-generate',
  ] as const)
    expect(forwarded(format).terminalAt(words)).toBe(-1);
  const done = `data: {"x":"${'[DONE]'.repeat(many)}"}\n\n`;
  expect(forwarded('openai-chat').terminalAt(done)).toBe(-1);
  expect(forwarded('openai-chat').terminalAt(`${done}data: [DONE]\n\n`)).toBe(done.length);
});

it('writes the end of streams of very many events', { timeout: 20_000 }, () => {
  const events = 'data: {"choices":[{"delta":{}}]}\n\n';
  const held = Buffer.from(events.repeat(many));
  const end = forwarded('openai-chat').end(held, {
    includeUsage: true,
    usage: undefined,
    first: held.subarray(0, 100),
    sent: () => held,
  });
  expect(end.length).toBeGreaterThan(held.length);
});

it('reads each event after the end of a stream once', { timeout: 20_000 }, () => {
  const [format, body] = [forwarded('openai-chat'), readBody(Buffer.from('{}')) as RequestBody];
  const held = new StreamTail(format, body, new FinishedChoices(format, body));
  const usage = 'data: {"choices":[],"usage":{}}\n\n';
  for (let index = 0; index < 20_000; index++) {
    held.push(Buffer.from(usage));
    expect(held.stateAfter(usage)).toBe('open');
  }
});

it('waits for the end of an event in pieces with line ends', { timeout: 20_000 }, () => {
  const pieces = new ChunkBuffer();
  const line = Buffer.from(`data: ${'x'.repeat(50)}\n`);
  for (let index = 0; index < many; index++) {
    expect(pieces.wholeIn(line)).toBe(0);
    pieces.push(line);
  }
  expect(pieces.wholeIn(Buffer.from('\r\ndata:'))).toBe(2);
  expect(pieces.takeWith(Buffer.from('\r\n'))).toHaveLength(many * line.length + 2);
});

it('gathers bytes that come one by one', { timeout: 20_000 }, () => {
  const bytes = Buffer.from(list((index) => index % 251));
  const gathered = new GatheredBytes();
  for (let index = 0; index < many; index++) gathered.push(bytes.subarray(index, index + 1));
  const large = Buffer.alloc(20_000, 1);
  for (const piece of [large, bytes.subarray(0, 3), bytes]) gathered.push(piece);
  expect(gathered.join().equals(Buffer.concat([bytes, large, bytes.subarray(0, 3), bytes]))).toBe(
    true,
  );
});

it('reads streams that begin with very many blanks', { timeout: 20_000 }, () => {
  const reader = createFrameReader('sse');
  const blank = Buffer.from('\n'.repeat(100));
  for (let index = 0; index < many; index++) expect(reader.push(blank)).toEqual([]);
  expect(reader.push(Buffer.from('data: a\n\n'))).toEqual([{ event: '', data: 'a' }]);
});

it('writes an overridden field once, even if the caller repeats it', () => {
  const given = '"model":"a",'.repeat(20_000);
  const body = readBody(Buffer.from(`{${given}"model":"b","x":1}`));
  expect(body?.edit({ model: 'c'.repeat(1000) }).toString()).toBe(
    `{"model":"${'c'.repeat(1000)}","x":1}`,
  );
  expect(body?.edit({ model: undefined }).toString()).toBe('{"x":1}');
});

it('reads hostile texts', { timeout: 20_000 }, () => {
  const said = (text: string) =>
    encoded('gemini-3-pro-preview', {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: text },
      ],
    });
  for (const text of [
    `](data:${'!['.repeat(many)}`,
    `${'![](data:'.repeat(many)}`,
    `${'!['.repeat(many)}](data:x)`,
  ])
    expect(JSON.stringify(said(text))).toContain('![');
  expect(
    affinityKey({}, readBodyOf({ metadata: { user_id: `${'_session_'.repeat(many)}\nx` } })),
  ).toHaveLength(43);
  const quotes = '"'.repeat(many);
  expect(
    readV3Reply({ data: { choices: [{ content: `${quotes}a${quotes}b${quotes}` }] } }).choices[0]
      ?.content,
  ).toEqual([{ type: 'text', text: `a${quotes}b` }]);
});

function readBodyOf(value: JsonValue) {
  const body = readBody(Buffer.from(JSON.stringify(value)));
  if (body === null) throw new Error('no body');
  return body;
}

it('distinguishes Markdown images from text that only begins like one', () => {
  const image = (name: string) => `![${name}](data:image/png;base64,AAAA)`;
  const text = `a ![b ${image('c')} ](data: ${image('![d')} e ![f](data:g) h`;
  const body = encoded('gemini-2.5-flash', {
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: text },
    ],
  });
  const parts = (body as { contents: { parts: JsonObject[] }[] }).contents[1]?.parts.map(
    (part) => part.text ?? 'image',
  );
  expect(parts).toEqual(['a ', 'image', ' ](data: ', 'image', ' e ![f](data:g) h']);
});

it('buffers no more of Dify’s text than a mark can contain', () => {
  const marks = new ThinkMarks();
  let text = '';
  for (let index = 0; index < 20_000; index++) text += marks.push('<details');
  expect((text + marks.end()).length).toBe(20_000 * '<details'.length);
  expect(new ThinkMarks().push(`${'<details'.repeat(20_000)}</summary>`)).toHaveLength(
    20_000 * 8 + 10,
  );
  expect(new ThinkMarks().push('<details style="x"> <summary> Thinking... </summary>a')).toBe(
    '<think>a',
  );
});

it('writes out references of schemas as far as there is room', { timeout: 20_000 }, () => {
  const definition = { type: 'object', properties: named(() => ({ type: 'string' }), 20_000) };
  const referring = named(() => ({ $ref: '#/$defs/A' }), 4000);
  const schema = { type: 'object', $defs: { A: definition }, properties: referring } as JsonObject;
  expect(JSON.stringify(toGeminiSchema(schema)).length).toBeLessThan(10_000_000);
  const all = {
    type: 'object',
    allOf: list((index) => ({ properties: { [`p${index}`]: {} }, required: [`p${index}`] })),
  } as JsonObject;
  expect((toGeminiSchema(all).required as JsonValue[]).length).toBe(many);
});

it('follows chains of references for Claude', () => {
  const definitions = Object.fromEntries(
    list((index) => [`d${index}`, { anyOf: [{ $ref: `#/$defs/d${index + 1}` }] }], 1500),
  );
  const parameters = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/d0' } },
    required: ['a'],
    $defs: { ...definitions, d1500: { type: 'string' } },
  };
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: 'a' }],
    tools: [{ type: 'function', function: { name: 'f', strict: true, parameters } }],
  };
  const model = 'claude-opus-4-6';
  const written = anthropic.operations.chat?.encode(
    openAiChat.readRequest(body as unknown as JsonObject),
    testCall({ model }),
  ).body;
  expect(written).toMatchObject({ tools: [{ strict: true }] });
});

it('joins very many messages of one role', { timeout: 20_000 }, () => {
  const messages = list(() => ({ role: 'user', content: [{ type: 'text', text: 'a' }] }) as const);
  expect(mergeTurns(messages)).toMatchObject([{ role: 'user', content: { length: many } }]);
  expect(alternateMessages(messages)).toMatchObject([{ role: 'user', content: { length: many } }]);
  expect(writeMistralMessages(list(() => ({ role: 'system', content: 'a' })))).toHaveLength(many);
});

it('reads very many calls without ids and text after calls', { timeout: 20_000 }, () => {
  const contents = [
    { role: 'model', parts: list(() => ({ functionCall: { name: 'f', args: {} } })) },
    { role: 'user', parts: list(() => ({ functionResponse: { name: 'f', response: {} } })) },
  ];
  expect(
    geminiGenerate.readRequest({ contents }, { model: 'm', stream: false }).messages,
  ).toHaveLength(many + 1);
  const thought = { type: 'reasoning', summary: [] };
  const called = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
  const spoken = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'a' }],
  };
  const input = [...list(() => thought), called, ...list(() => spoken)];
  expect(openAiResponses.readRequest({ model: 'm', input }).messages).toHaveLength(1);
});

it('collects very many chunks of a reply', { timeout: 20_000 }, () => {
  const logprobs = { content: [{ token: 'a' }] };
  expect(collected(list(() => ({ type: 'text-delta', text: 'a', logprobs })))).toMatchObject({
    logprobs: { content: { length: many } },
  });
  const sound = collected(list(() => ({ type: 'audio', format: 'pcm16', data: 'AAAA' })))
    ?.content[0];
  expect(sound?.type === 'audio' && sound.data.length).toBe(many * 4);
});

it('places very many sources', { timeout: 20_000 }, () => {
  const content = list(() => ({ type: 'text', text: 'a' }) as const);
  const annotations = list((index) => ({
    url: `https://a/${index}`,
    startIndex: index,
    endIndex: index + 1,
  }));
  const sources = sourcesByText({ content, annotations });
  expect(sources.get(content[many - 1])).toEqual([annotations[many - 1]]);
  const same = annotations.map(({ url }) => ({ url, startIndex: 0, endIndex: 1 }));
  expect(writeGrounding(same, ['a'])).toMatchObject({
    groundingSupports: [{ groundingChunkIndices: { length: many } }],
  });
});

it('reads very many parts, candidates and figures of one event', { timeout: 20_000 }, () => {
  const call = (index: number) => ({
    index,
    id: `c${index}`,
    function: { name: 'f', arguments: '{}' },
  });
  const one = JSON.stringify({ choices: [{ delta: { tool_calls: list(call) } }] });
  expect(
    (openai as Provider).operations.chat
      ?.createStreamDecoder?.(testCall())
      ?.push({ event: '', data: one }),
  ).toHaveLength(many + 1);
  const candidates = list((index) => ({
    index,
    content: { parts: [{ functionCall: { name: 'f', args: {} } }] },
  }));
  const decoder = gemini.operations.chat?.createStreamDecoder?.(testCall());
  expect(decoder?.push({ event: '', data: JSON.stringify({ candidates }) })).toHaveLength(many + 1);
  expect(
    usageFromAnthropic({ output_tokens: 7, iterations: list(() => ({ output_tokens: 1 })) })
      ?.completionTokens,
  ).toBe(1000);
  const text = {
    type: 'text-delta',
    text: 'a',
    logprobs: { content: list(() => ({ token: 'a' })) },
  } as const;
  const encoder = openAiResponses.createStreamEncoder({ id: 'a', model: 'm', created: 1 });
  expect(encoder.push(text) + encoder.end()).toContain('response.completed');
});

it('changes every member of a large object', { timeout: 20_000 }, () => {
  expect(
    changeAt(
      named(() => 1),
      ['*'],
      (value) => (value === 1 ? 2 : value),
    ),
  ).toMatchObject({ p0: 2, p129999: 2 });
});

it('fetches very many files in turn', { timeout: 20_000 }, async () => {
  const budget = new FileBudget(1);
  const fetched = await Promise.all(list((index) => budget.run(() => Promise.resolve(index))));
  expect(fetched.at(-1)).toBe(many - 1);
  expect(await budget.run(() => Promise.resolve('later'))).toBe('later');
});

import { describe, expect, it } from 'vitest';
import type { OperationAdapter } from '../../../src/core/canonical/provider.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import { vertex } from '../../../src/core/providers/vertex/index.ts';
import { geminiGenerate } from '../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { collect, decodeChunks } from '../../contract/providers/support/decode.ts';
import { accountDocument } from '../../support/service-account.ts';

const long = `mcp__${'server.'.repeat(20)}look`;
const names = [long, `${long}2`, 'ns:plain', 'fine_1'];
const request = geminiGenerate.readRequest(
  {
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ functionCall: { name: long, args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: long, response: {} } }] },
    ],
    tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [long] } },
  },
  { model: 'm', stream: true },
);
const chat = openai.operations.chat;
const body = chat?.encode(request, testCall() as never).body as {
  tools: { function: { name: string } }[];
  tool_choice: { function: { name: string } };
  messages: { tool_calls?: { function: { name: string } }[] }[];
};
const sent = body.tools.map((tool) => tool.function.name);

describe('names of functions that OpenAI would refuse', () => {
  it('are shortened, stay distinct, and are the same everywhere', () => {
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(sent).size).toBe(names.length);
    expect(sent[3]).toBe('fine_1');
    expect(body.tool_choice.function.name).toBe(sent[0]);
    expect(
      body.messages
        .flatMap((message) => message.tool_calls ?? [])
        .map((call) => call.function.name),
    ).toEqual([sent[0]]);
  });

  it('come back as they were, whole and streamed', () => {
    const calls = sent.map((name, index) => ({
      index,
      id: `c${index}`,
      type: 'function',
      function: { name, arguments: '{}' },
    }));
    const reply = chat?.decode(
      { choices: [{ message: { tool_calls: calls } }] },
      testCall() as never,
      request,
    );
    expect(
      reply?.choices[0]?.content.map((part) => (part.type === 'tool-call' ? part.name : '')),
    ).toEqual(names);
    const decoder = chat?.createStreamDecoder?.(testCall() as never, request);
    if (decoder === undefined) throw new Error('no decoder');
    const event = `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: calls } }] })}\n\n`;
    expect(
      collect(decodeChunks([Buffer.from(event)], 'sse', decoder)).calls.map(({ name }) => name),
    ).toEqual(names);
  });
});

/** What is looked at of a body for Gemini. */
interface GoogleBody {
  readonly tools: readonly {
    readonly functionDeclarations: readonly { readonly name: string }[];
  }[];
  readonly toolConfig: {
    readonly functionCallingConfig: { readonly allowedFunctionNames: readonly string[] };
  };
  readonly contents: readonly {
    readonly parts: readonly Partial<
      Record<'functionCall' | 'functionResponse', { readonly name: string }>
    >[];
  }[];
}

describe.each([
  ['Gemini', gemini.operations.chat as OperationAdapter<'chat'>],
  ['Gemini on Vertex', vertex.operations.chat as OperationAdapter<'chat'>],
])('names of functions that %s would refuse', (_name, adapter) => {
  const given = [long.replaceAll('.', '_'), '2nd_look', '查询天气', 'fine.ns:look-1'];
  const earlier = (name: string) => ({
    id: name,
    type: 'function',
    function: { name, arguments: '{}' },
  });
  const question = openAiChat.readRequest({
    model: 'gemini-2.5-pro',
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [earlier('2nd_look'), earlier('3rd, no more')],
      },
    ],
    tools: given.map((name) => ({ type: 'function', function: { name } })),
    tool_choice: { type: 'function', function: { name: '2nd_look' } },
  });
  const key = new Secret(JSON.stringify(accountDocument()));
  const call = testCall({ model: 'gemini-2.5-pro', other: 'us-central1', key });
  const { tools, toolConfig, contents } = adapter.encode(question, call)
    .body as unknown as GoogleBody;
  const known = tools[0]?.functionDeclarations.map(({ name }) => name) ?? [];

  it('are adapted everywhere', () => {
    for (const name of known) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/);
    expect(known[3]).toBe('fine.ns:look-1');
    expect(toolConfig.functionCallingConfig.allowedFunctionNames).toEqual([known[1]]);
    const [, calls, results] = contents.map(({ parts }) => parts);
    expect(calls?.[0]?.functionCall?.name).toBe(known[1]);
    expect(calls?.[1]?.functionCall?.name).toMatch(/^_3rd__no_more_[0-9a-f]{8}$/);
    expect(results?.map((part) => part.functionResponse?.name)).toEqual(
      calls?.map((part) => part.functionCall?.name),
    );
  });

  it('come back as they were, whole and streamed', () => {
    const parts = known.map((name) => ({ functionCall: { name, args: {} } }));
    const reply = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
    const read = adapter.decode(reply, call, question).choices[0]?.content ?? [];
    expect(read.map((part) => (part.type === 'tool-call' ? part.name : ''))).toEqual(given);
    const decoder = adapter.createStreamDecoder?.(call, question);
    if (decoder === undefined) throw new Error('no decoder');
    const events = [Buffer.from(`data: ${JSON.stringify(reply)}\n\n`)];
    expect(collect(decodeChunks(events, 'sse', decoder)).calls.map(({ name }) => name)).toEqual(
      given,
    );
  });
});

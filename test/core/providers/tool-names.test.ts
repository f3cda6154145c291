import { describe, expect, it } from 'vitest';
import { openai } from '../../../src/core/providers/openai/index.ts';
import { geminiGenerate } from '../../../src/core/relay/wire-formats/gemini-generate.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { collect, decodeChunks } from '../../contract/providers/support/decode.ts';

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
  it('are shortened, differ, and are the same wherever they stand', () => {
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(sent).size).toBe(names.length);
    expect(sent[3]).toBe('fine_1');
    expect(body.tool_choice.function.name).toBe(sent[0]);
    expect(body.messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.function.name)).toEqual([sent[0]]);
  });

  it('come back as they were, whole and streamed', () => {
    const calls = sent.map((name, index) => ({ index, id: `c${index}`, type: 'function', function: { name, arguments: '{}' } }));
    const reply = chat?.decode({ choices: [{ message: { tool_calls: calls } }] }, testCall() as never, request);
    expect(reply?.choices[0]?.content.map((part) => (part.type === 'tool-call' ? part.name : ''))).toEqual(names);
    const decoder = chat?.createStreamDecoder?.(testCall() as never, request);
    if (decoder === undefined) throw new Error('no decoder');
    const event = `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: calls } }] })}\n\n`;
    expect(collect(decodeChunks([Buffer.from(event)], 'sse', decoder)).calls.map(({ name }) => name)).toEqual(names);
  });
});

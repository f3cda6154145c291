import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/core/canonical/chat.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { ollama } from '../../../src/core/providers/ollama/index.ts';
import { readBody } from '../../../src/core/relay/body/body-fields.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { fixtureJson } from '../../contract/providers/support/decode.ts';
import { effectsOf } from '../../contract/providers/support/effects.ts';

const call = { ...testCall({ baseUrl: 'http://localhost:11434' }), settings: {} };
const messages = [{ role: 'user', content: 'Hello' }];
const { chat, embedding } = ollama.operations;

function written(
  body: JsonObject,
  changes: { readonly model?: string } = {},
  format = openAiChat,
): JsonObject {
  const request: ChatRequest = format.readRequest(
    { model: 'm', messages, ...body },
    { model: 'm', stream: false },
  );
  return chat?.encode(request, { ...call, ...changes }).body as JsonObject;
}

describe('thinking of Ollama’s models', () => {
  it.each([
    [{ reasoning_effort: 'none' }, false],
    [{ reasoning_effort: 'medium' }, 'medium'],
    [{ reasoning_effort: 'xhigh' }, 'high'],
    [{ think: true }, true],
    [{ think: false, reasoning_effort: 'high' }, false],
    [{}, undefined],
  ])('%j', (body, think) => expect(written(body).think).toBe(think));

  it('uses effort levels only for models that support them', () => {
    const budget = { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } };
    expect(written(budget, { model: 'qwen3' }, anthropicMessages).think).toBeUndefined();
    expect(written(budget, { model: 'gpt-oss:20b' }, anthropicMessages).think).toBe('low');
  });
});

describe('tools of Ollama’s models', () => {
  const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name } }));

  it('are left out where tools are forbidden; only the named one is kept where one is required', () => {
    expect(written({ tools, tool_choice: 'none' }).tools).toBeUndefined();
    const choice = { type: 'function', function: { name: 'time' } };
    expect(written({ tools, tool_choice: choice }).tools).toMatchObject([
      { function: { name: 'time' } },
    ]);
    expect(written({ tools, tool_choice: 'required' }).tools).toHaveLength(2);
  });

  it('get results by name, images behind them, and arguments as objects', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const talk: JsonObject[] = [
      ...messages,
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'look', input: { at: 'sky' } },
          { type: 'tool_use', id: 'b', name: 'time', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [
              { type: 'text', text: 'See' },
              { type: 'image', source },
            ],
          },
          { type: 'tool_result', tool_use_id: 'b', content: 'never', is_error: true },
        ],
      },
    ];
    expect(written({ messages: talk, max_tokens: 5 }, {}, anthropicMessages).messages).toEqual([
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { function: { name: 'look', arguments: { at: 'sky' } } },
          { function: { name: 'time', arguments: {} } },
        ],
      },
      { role: 'tool', content: 'See', tool_name: 'look' },
      { role: 'tool', content: 'Error: never', tool_name: 'time' },
      { role: 'user', content: '', images: ['AAAA'] },
    ]);
  });
});

describe('bodies for Ollama', () => {
  const target = (body: object, setting: object = {}) => {
    const [entry] = chat?.passThrough ?? [];
    const fields =
      readBody(Buffer.from(JSON.stringify({ model: 'm', ...body }))) ?? expect.fail('no body');
    return entry?.target(fields, { ...call, settings: setting })?.url;
  };
  const withImage = (url: string) => ({
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  });

  it('are forwarded unchanged unless an image must be fetched or the channel overrides it', () => {
    expect(target({ messages })).toBe('http://localhost:11434/v1/chat/completions');
    expect(target(withImage('data:image/png;base64,AAAA'))).toBeDefined();
    expect(target(withImage('https://images.example/cat.png'))).toBeUndefined();
    expect(target(withImage('iVBORw0KGgo='))).toBeUndefined();
    expect(target({ messages }, { native_api: true })).toBeUndefined();
    expect(target({ messages }, { thinking_to_content: true })).toBeUndefined();
    expect(chat?.needsInlineImages).toBe(true);
  });

  it('have no field for audio, several choices or tokens', () => {
    const sound = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
    expect(() => written({ messages: [{ role: 'user', content: [sound] }] })).toThrow(
      'audio input',
    );
    expect(() => written({ n: 2 })).toThrow('n > 1');
    expect(() => embedding?.encode({ model: 'm', input: [[1, 2]], extra: {} }, call)).toThrow(
      'tokens',
    );
  });

  it('work with a base URL that ends in /v1', () => {
    const request = openAiChat.readRequest({ model: 'm', messages }, { model: 'm', stream: false });
    expect(chat?.encode(request, { ...call, baseUrl: 'http://localhost:11434/v1' }).url).toBe(
      'http://localhost:11434/api/chat',
    );
  });
});

describe('replies of Ollama', () => {
  it('are failures where they are not whole', () => {
    expect(() => chat?.decode({ message: { content: 'Hi' }, done: false }, call)).toThrow(
      'broke off',
    );
    expect(() => embedding?.decode({ embeddings: [] }, call)).toThrow('no embeddings');
    expect(() => embedding?.decode({ error: 'no such model' }, call)).toThrow('no such model');
  });

  it('name the models that are there', async () => {
    const effects = effectsOf({
      'http://localhost:11434/api/tags': fixtureJson('ollama', 'reply-tags.json'),
    });
    expect(await ollama.account?.listModels?.(call, effects)).toEqual([
      'qwen3:8b',
      'all-minilm:latest',
    ]);
  });
});

import '../../support/usage-equality.ts';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/core/canonical/chat.ts';
import type { Effects } from '../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { dify } from '../../../src/core/providers/dify/index.ts';
import { ThinkMarks } from '../../../src/core/providers/dify/think-marks.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';

const { chat } = dify.operations;
const call = testCall({ baseUrl: 'https://api.dify.ai/v1' });

function requestOf(body: JsonObject): ChatRequest {
  return openAiChat.readRequest({ model: 'm', ...body }, { model: 'm', stream: true });
}

function decode(bytes: Buffer, difyDebug = false) {
  const decoder =
    chat?.createStreamDecoder?.({ ...call, options: { ...call.options, difyDebug } }) ??
    expect.fail('no stream');
  return collect(decodeChunks([bytes], 'sse', decoder));
}

function events(...values: readonly object[]): Buffer {
  return Buffer.from(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''));
}

const end = {
  event: 'message_end',
  metadata: { usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
};

describe('thinking marks in Dify’s replies', () => {
  const opening = '<details style="color:gray" open> <summary> Thinking... </summary>\n';
  const text = `A <b> ${opening}1 < 2 </b> done\n</details>\n<details><summary>More</summary>x</details>`;
  const marked =
    'A <b> <think>\n1 < 2 </b> done\n</think>\n<details><summary>More</summary>x</details>';

  it('are the same however the text is cut', () => {
    for (let at = 0; at <= text.length; at++) {
      const marks = new ThinkMarks();
      expect(
        marks.push(text.slice(0, at)) + marks.push(text.slice(at)) + marks.end(),
        `cut at ${at}`,
      ).toBe(marked);
    }
    const marks = new ThinkMarks();
    expect([...text].map((letter) => marks.push(letter)).join('') + marks.end()).toBe(marked);
  });

  it('hold back no more than what may become one', () => {
    const marks = new ThinkMarks();
    expect(marks.push('x <det')).toBe('x ');
    expect(marks.push('ective')).toBe('<detective');
    expect(marks.push(' <')).toBe(' ');
    expect(marks.end()).toBe('<');
  });
});

describe('streams of Dify', () => {
  it('return workflow steps as thinking where the channel enables it, one token each', () => {
    const { reasoning, text, usage } = decode(fixtureBytes('dify', 'stream-workflow.sse'), true);
    expect(reasoning).toBe(
      'Workflow: dfjasklfjdslag\nNode: llm\nNode: llm succeeded\nWorkflow: dfjasklfjdslag succeeded\n',
    );
    expect(text).toBe('Hello there');
    expect(usage).toEqual({ promptTokens: 1033, completionTokens: 139 });
  });

  it('cannot retract text that was sent', () => {
    const bytes = events(
      { event: 'message', answer: 'Bad' },
      { event: 'message_replace', answer: 'Sorry' },
      end,
    );
    expect(decode(bytes)).toMatchObject({ text: 'Bad', finishes: ['stop'] });
  });

  it('show files of the assistant, not those of the user', () => {
    const file = (belongs_to: string, url: string) => ({
      event: 'message_file',
      type: 'image',
      belongs_to,
      url,
    });
    const bytes = events(
      file('user', 'https://x.example/a.png'),
      file('assistant', 'https://x.example/b.png'),
      end,
    );
    expect(decode(bytes).text).toBe('![image](https://x.example/b.png)\n');
  });

  it('pass over what is not known, and what comes after the end', () => {
    const bytes = events(
      { event: 'news' },
      { event: 'message', answer: 'Hi' },
      { some: 'thing' },
      end,
      {
        event: 'error',
        code: 'late',
      },
    );
    expect(decode(bytes)).toMatchObject({ text: 'Hi', errors: [], finishes: ['stop'] });
  });
});

describe('requests to Dify', () => {
  const pixel = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const messages: JsonObject[] = [
    { role: 'user', content: [{ type: 'text', text: 'First' }, pixel] },
    { role: 'assistant', content: 'Seen' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Second' },
        {
          type: 'file',
          file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
        },
      ],
    },
  ];

  async function prepared(body: JsonObject) {
    const uploads: string[] = [];
    const effects = {
      fetch: async ({ url, body: form }: { url: string; body: Uint8Array }) => {
        expect(url).toBe('https://api.dify.ai/v1/files/upload');
        uploads.push(/filename="([^"]+)"/.exec(Buffer.from(form).toString('latin1'))?.[1] ?? '');
        return { status: 201, text: JSON.stringify({ id: `file-${uploads.length}` }), headers: {} };
      },
    } as unknown as Effects;
    const request =
      (await chat?.prepare?.(requestOf(body), call, effects)) ?? expect.fail('nothing to prepare');
    return { uploads, body: chat?.encode(request, call).body as JsonObject };
  }

  it('upload images and documents', async () => {
    const { uploads, body } = await prepared({ messages });
    expect(uploads).toEqual(['image.png', 'a.pdf']);
    expect(body.files).toEqual([
      { type: 'image', transfer_method: 'local_file', upload_file_id: 'file-1' },
      { type: 'document', transfer_method: 'local_file', upload_file_id: 'file-2' },
    ]);
    expect(body.query).toBe('USER: \nFirst\nASSISTANT: \nSeen\nUSER: \nSecond\n');
  });

  it('upload no file again in a conversation stored by Dify', async () => {
    const { uploads, body } = await prepared({ messages, conversation_id: 'c1' });
    expect(uploads).toEqual(['a.pdf']);
    expect(body).toMatchObject({ query: 'Second', conversation_id: 'c1' });
  });

  it('have no place for sound', () => {
    const sound = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
    const encode = () =>
      chat?.encode(requestOf({ messages: [{ role: 'user', content: [sound] }] }), call);
    expect(encode).toThrow('audio input');
  });
});

describe('whole replies of Dify', () => {
  it('are read like streams', () => {
    expect(chat?.decode(fixtureJson('dify', 'reply-blocking.json'), call)).toMatchObject({
      id: 'chatcmpl-45701982-8118-4bc5-8e9b-64562b4555f2',
      choices: [{ content: [{ type: 'text', text: 'Hello there' }], finish: 'stop' }],
      usage: { promptTokens: 1033, completionTokens: 135 },
    });
  });

  it('are failures where they contain an error or no reply', () => {
    const read = (body: unknown) => () => chat?.decode(body, call);
    expect(read({ code: 'app_unavailable', message: 'App unavailable', status: 400 })).toThrow(
      'App unavailable',
    );
    expect(read({ status: 'ok' })).toThrow('broke off');
  });
});

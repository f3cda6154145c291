import { describe, expect, it } from 'vitest';
import { readBody } from '../../../../src/core/relay/body/body-fields.ts';
import { readPromptText } from '../../../../src/core/relay/formats/prompt-text.ts';

function textOf(body: object): string {
  const read = readBody(Buffer.from(JSON.stringify(body)));
  if (read === null) throw new Error('no body');
  return readPromptText(read);
}

const data = 'QUJD'.repeat(2000);

describe('user text is found wherever a format places it', () => {
  it.each([
    ['chat', { messages: [{ role: 'user', content: [{ type: 'text', text: 'WORD' }] }] }],
    ['a result of chat', { messages: [{ role: 'tool', tool_call_id: 'c', content: 'WORD' }] }],
    ['system of messages', { system: [{ type: 'text', text: 'WORD' }], messages: [] }],
    [
      'a text document of messages',
      {
        messages: [
          {
            content: [
              {
                type: 'document',
                source: { type: 'text', media_type: 'text/plain', data: 'WORD' },
              },
            ],
          },
        ],
      },
    ],
    [
      'a result of messages',
      {
        messages: [
          { content: [{ type: 'tool_result', content: [{ type: 'text', text: 'WORD' }] }] },
        ],
      },
    ],
    ['Gemini', { contents: [{ parts: [{ text: 'WORD' }] }] }],
    ['system of Gemini', { system_instruction: { parts: { text: 'WORD' } }, contents: [] }],
    [
      'a result of Gemini',
      {
        contents: [{ parts: [{ functionResponse: { name: 'f', response: { rows: ['WORD'] } } }] }],
      },
    ],
    [
      'Responses',
      {
        instructions: 'a',
        input: [{ role: 'user', content: [{ type: 'input_text', text: 'WORD' }] }],
      },
    ],
    [
      'a result of Responses',
      { input: [{ type: 'function_call_output', call_id: 'c', output: 'WORD' }] },
    ],
    ['completions', { prompt: ['a', 'WORD'] }],
    ['rerank', { query: 'a', documents: [{ title: 'WORD' }] }],
    ['embeddings of Gemini', { requests: [{ content: { parts: [{ text: 'WORD' }] } }] }],
  ])('%s', (_name, body) => {
    expect(textOf(body)).toContain('WORD');
  });

  it.each([
    [
      'images of chat',
      {
        messages: [
          { content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }] },
        ],
      },
    ],
    [
      'images of messages',
      { messages: [{ content: [{ type: 'image', source: { type: 'base64', data } }] }] },
    ],
    [
      'images of Gemini',
      { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data } }] }] },
    ],
    [
      'images in results of Gemini',
      {
        contents: [
          {
            parts: [
              {
                functionResponse: {
                  name: '',
                  response: {},
                  parts: [{ inlineData: { mimeType: '', data } }],
                },
              },
            ],
          },
        ],
      },
    ],
  ])('%s are not text', (_name, body) => {
    expect(textOf(body).trim()).toBe('');
  });
});

/** What of a body counts as media (docs/rules/metering.md#media-parts). */
import { describe, expect, it } from 'vitest';
import { readBody } from '../../../../src/core/relay/body/body-fields.ts';

const data = Buffer.from('a picture of something '.repeat(300)).toString('base64');
const image = `data:image/png;base64,${data}`;
const mediaOf = (body: object | string) =>
  readBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))?.media;
const content = (...parts: object[]) => ({ messages: [{ role: 'user', content: parts }] });
const source = (fields: object) =>
  content({ type: 'image', source: { type: 'base64', media_type: 'image/png', data, ...fields } });
const inline = (fields: object) => ({
  contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data, ...fields } }] }],
});
const filler = { filler: 'x '.repeat(3000) };

describe('long data', () => {
  const long = 'QUJD'.repeat(250_000);
  const imageOf = (text: string) =>
    mediaOf(content({ type: 'image_url', image_url: { url: `data:image/png;base64,${text}` } }));

  it('of a megabyte is an image', () => {
    expect(imageOf(long)).toMatchObject({ parts: 1, bytes: long.length + 22 });
    expect(imageOf(`${long.slice(0, -4)}QQ==`)).toMatchObject({ bytes: long.length + 22 });
  });

  it('with words among it is text, wherever they stand', () => {
    const words = 'two words '.repeat(5000);
    for (const at of [0, 400_000, long.length])
      expect(imageOf(long.slice(0, at) + words + long.slice(at))).toMatchObject({ bytes: 0 });
  });
});

describe('data of a media part', () => {
  it.each<[string, object, number]>([
    ['chat: an image', content({ type: 'image_url', image_url: { url: image } }), image.length],
    [
      'chat: a recording',
      content({ type: 'input_audio', input_audio: { data, format: 'wav' } }),
      data.length,
    ],
    [
      'chat: a PDF',
      content({ type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } }),
      data.length + 28,
    ],
    ['messages: an image', source({}), data.length],
    [
      'messages: in the result of a tool',
      content({ type: 'tool_result', content: source({}).messages[0]?.content ?? [] }),
      data.length,
    ],
    [
      'Responses: an image',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: image }] }] },
      image.length,
    ],
    ['Gemini: an image', inline({}), data.length],
    ['images: one to edit', { prompt: 'p', image: [image] }, image.length],
  ])('%s', (_, body, bytes) => {
    expect(mediaOf(body)).toMatchObject({ parts: 1, bytes });
    expect(mediaOf(JSON.stringify(body, null, 2))).toMatchObject({ parts: 1, bytes });
  });
});

describe('text, however it looks', () => {
  it.each<[string, object]>([
    ['a message', { messages: [{ role: 'user', content: image }] }],
    ['a text part', content({ type: 'text', text: data })],
    [
      'the arguments of a tool',
      content({
        type: 'tool_use',
        name: 'f',
        input: { source: { type: 'base64', media_type: 'image/png', data } },
      }),
    ],
    [
      'the result of a function',
      {
        contents: [
          {
            parts: [
              { functionResponse: { response: { inlineData: { mimeType: 'image/png', data } } } },
            ],
          },
        ],
      },
    ],
    ['a document given as text', source({ type: 'text', media_type: 'text/plain' })],
    ['a text in base64', inline({ mimeType: 'text/plain' })],
    ['two media types', source({ mime_type: 'text/plain' })],
    ['an escape beside it', source({ note: 'a\nb' })],
    [
      'an image that is no base64',
      content({ type: 'image_url', image_url: { url: `${image} and words` } }),
    ],
    [
      'a text by data URI',
      content({ type: 'image_url', image_url: { url: `data:text/plain;base64,${data}` } }),
    ],
    [
      'deeper than any format',
      { messages: [[[[[[[[[[[[[[[[[[{ image_url: { url: image } }]]]]]]]]]]]]]]]]]] },
    ],
  ])('%s', (_, body) => {
    expect(mediaOf(body)?.bytes).toBe(0);
  });
});

describe('parts without data', () => {
  const url = (id: number) => ({
    type: 'image_url',
    image_url: { url: `https://example.com/${id}` },
  });
  it('count by their number, in small and in large bodies', () => {
    expect(mediaOf(content(url(1), url(2), url(3)))?.parts).toBe(3);
    expect(mediaOf({ ...filler, ...content(url(1), url(2), url(3)) })?.parts).toBe(3);
    expect(
      mediaOf({
        input: [
          {
            content: [
              { type: 'input_image', file_id: 'a' },
              { type: 'input_file', file_url: 'b' },
            ],
          },
        ],
      })?.parts,
    ).toBe(2);
    expect(
      mediaOf({
        contents: [{ parts: [{ fileData: { fileUri: 'a' } }, { file_data: { file_uri: 'a' } }] }],
      })?.parts,
    ).toBe(2);
  });

  it('count whatever their names are written with', () => {
    const all = [...'image_url']
      .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    for (const name of ['image\\u005furl', all]) {
      for (const more of [{}, filler]) {
        const text = JSON.stringify({ ...more, ...content(url(1), url(2)) }).replaceAll(
          '"image_url":',
          `"${name}":`,
        );
        expect(mediaOf(text.replaceAll('"content":', '"conten\\u0074":'))?.parts).toBe(2);
      }
    }
  });

  it('are not the words of a message, nor members of a schema', () => {
    const tools = [
      {
        function: {
          parameters: { properties: { source: {}, image: {}, file: {}, image_url: {} } },
        },
      },
    ];
    expect(
      mediaOf({ messages: [{ role: 'user', content: '"image_url": "source"' }], tools })?.parts,
    ).toBe(0);
  });
});

it('encrypted thinking counts by itself', () => {
  expect(mediaOf(content({ type: 'thinking', thinking: '', signature: data }))).toMatchObject({
    parts: 0,
    sealedBytes: data.length,
  });
  expect(mediaOf({ input: [{ type: 'reasoning', encrypted_content: data }] })?.sealedBytes).toBe(
    data.length,
  );
  expect(mediaOf({ contents: [{ parts: [{ thoughtSignature: data }] }] })?.sealedBytes).toBe(
    data.length,
  );
  expect(mediaOf(content({ type: 'thinking', signature: `${data} and words` }))?.sealedBytes).toBe(
    0,
  );
});

it('finds how long parts of the prompt are to be cached', () => {
  const cached = (cache_control: object) => content({ type: 'text', text: 'x', cache_control });
  expect(mediaOf(cached({ type: 'ephemeral' }))?.caching).toBe('5m');
  expect(mediaOf(cached({ type: 'ephemeral', ttl: '1h' }))?.caching).toBe('1h');
  expect(mediaOf({ ...filler, ...cached({ type: 'ephemeral', ttl: '1h' }) })?.caching).toBe('1h');
  expect(mediaOf(JSON.stringify(cached({ ttl: '1h' })).replace('1h', '\\u0031h'))?.caching).toBe(
    '1h',
  );
  const point = (prompt_cache_breakpoint: object) =>
    content({ type: 'input_text', text: 'x', prompt_cache_breakpoint });
  expect(mediaOf(point({ mode: 'explicit' }))?.caching).toBe('5m');
  expect(mediaOf({ ...filler, ...point({ mode: 'explicit', ttl: '12h' }) })?.caching).toBe('1h');
  const escaped = JSON.stringify(point({ ttl: '12h' })).replace(
    'prompt_cache',
    '\\u0070rompt_cache',
  );
  expect(mediaOf(escaped)?.caching).toBe('1h');
  expect(mediaOf({ cache_control: { type: 'ephemeral' }, messages: [] })?.caching).toBe('5m');
  expect(mediaOf(content({ type: 'text', text: 'cache_control' }))?.caching).toBe('none');
});

it.each<[string, object | string, boolean]>([
  ['Markdown in a text', { messages: [{ content: `![a](${image})` }] }, true],
  ['in a part', { input: [{ content: [{ text: `![a](${image})` }] }] }, true],
  ["in Gemini's part", { contents: [{ parts: [{ text: `![a](${image})` }] }] }, true],
  [
    'with escaped slashes',
    JSON.stringify({ messages: [{ content: `![a](${image})` }] }).replaceAll('/', '\\/'),
    true,
  ],
  [
    'in arguments of a tool',
    { messages: [{ tool_calls: [{ arguments: `![a](${image})` }] }] },
    false,
  ],
  [
    'beside the text',
    { messages: [{ images: [{ image_url: { url: 'https://example.com' } }] }] },
    true,
  ],
  [
    'the shortest, behind a long text',
    {
      messages: [
        { content: `${'a long text '.repeat(999)}![a](data:image/png;base64,${'A'.repeat(1100)})` },
      ],
    },
    true,
  ],
  ['data that is no image', { messages: [{ content: `a dump: ${data}` }] }, false],
  ['none', { messages: [{ content: 'a long text '.repeat(1000) }] }, false],
  ['of the user', content({ type: 'image_url', image_url: { url: image } }), false],
])('images of earlier answers: %s', (_, body, answerImages) => {
  expect(mediaOf(body)?.answerImages).toBe(answerImages);
});

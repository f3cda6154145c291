/** Image generation and edits with Google's models: by `:predict` (Imagen) and by a chat. */
import { expect } from 'vitest';
import type { Answer, ReceivedRequest } from '../../../support/upstream.ts';
import type { ProviderCase } from './case.ts';
import { fixtureJson } from './decode.ts';
import { form, onePixel } from './openai-cases.ts';
import { jsonReply } from './upstream-replies.ts';

const talker = 'gemini-2.5-flash';
const image = `data:image/png;base64,${onePixel.toString('base64')}`;

function expectRequest(request: ReceivedRequest | undefined, path: string): void {
  expect(request?.path).toBe(`/v1beta/models/${path}`);
  expect(request?.headers['x-goog-api-key']).toBe('upstream-key');
}

const painter = 'gemini-2.5-flash-image';
const pixelPart = { inlineData: { mimeType: 'image/png', data: onePixel.toString('base64') } };
const edited: Answer = jsonReply(fixtureJson('gemini', 'reply-edit.json'));

/** The form of an image edit; each image is given as a field and a file name. */
function edit(
  fields: Readonly<Record<string, string>>,
  first: string,
  ...others: readonly string[]
): FormData {
  const pixel = () => new Blob([onePixel], { type: 'image/png' });
  const data = form({ model: painter, prompt: 'a hat', ...fields }, [
    first,
    pixel(),
    `${first}.png`,
  ]);
  for (const field of others) data.append(field, pixel(), `${field}.png`);
  return data;
}

/** An edit that is rejected without an upstream request. */
const refusedEdit = (
  title: string,
  body: FormData,
  word: string,
  edits = painter,
): ProviderCase => ({
  operation: 'image-edit',
  title,
  model: edits,
  path: '/v1/images/edits',
  body,
  expectRequests: (requests) => expect(requests).toEqual([]),
  expectReply: ({ status, json }) => {
    expect(status).toBe(400);
    expect(json).toMatchObject({
      error: { code: 'unsupported_feature', message: expect.stringContaining(word) },
    });
  },
});

export const imageCases: readonly ProviderCase[] = [
  {
    operation: 'image',
    model: 'imagen-3.0-generate-002',
    path: '/v1/images/generations',
    body: {
      model: 'imagen-3.0-generate-002',
      prompt: 'a cat',
      n: 2,
      size: '1792x1024',
      quality: 'hd',
    },
    upstreamReplies: [jsonReply(fixtureJson('gemini', 'reply-imagen.json'))],
    expectRequests: ([request]) => {
      expectRequest(request, 'imagen-3.0-generate-002:predict');
      expect(request?.json).toEqual({
        instances: [{ prompt: 'a cat' }],
        parameters: {
          sampleCount: 2,
          aspectRatio: '16:9',
          personGeneration: 'allow_adult',
          imageSize: '2K',
        },
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ b64_json: 'aGk=' }, { b64_json: 'aG8=' }] }),
  },
  {
    operation: 'image',
    title: 'by a chat',
    model: 'gemini-2.5-flash-image',
    path: '/v1/images/generations',
    body: { model: 'gemini-2.5-flash-image', prompt: 'a cat' },
    upstreamReplies: [jsonReply(fixtureJson('gemini', 'reply-picture.json'))],
    expectRequests: ([request]) => {
      expectRequest(request, 'gemini-2.5-flash-image:generateContent');
      expect(request?.json).toMatchObject({
        generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
      });
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ b64_json: 'aGk=' }] }),
  },
  {
    operation: 'image',
    title: 'all images filtered',
    model: 'imagen-3.0-generate-002',
    path: '/v1/images/generations',
    body: { model: 'imagen-3.0-generate-002', prompt: 'a cat' },
    upstreamReplies: [jsonReply({ predictions: [{ raiFilteredReason: 'not allowed' }] })],
    expectRequests: () => undefined,
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error: { code: 'prompt_blocked', message: expect.stringContaining('not allowed') },
      });
    },
  },
  {
    operation: 'image-edit',
    model: painter,
    path: '/v1/images/edits',
    body: edit({ size: '1536x1024' }, 'image'),
    upstreamReplies: [edited],
    expectRequests: ([request]) => {
      expectRequest(request, `${painter}:generateContent`);
      expect(request?.json).toMatchObject({
        contents: [{ role: 'user', parts: [{ text: 'a hat' }, pixelPart] }],
        generationConfig: {
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { aspectRatio: '3:2' },
        },
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        data: [{ b64_json: 'aGF0' }],
        usage: {
          input_tokens: 519,
          output_tokens: 1290,
          input_tokens_details: { text_tokens: 3, image_tokens: 516 },
        },
      }),
    billed: { prompt: 519, completion: 1290 },
  },
  {
    operation: 'image-edit',
    title: 'several images without a media type',
    model: painter,
    path: '/v1/images/edits',
    body: (() => {
      const data = edit({}, 'image[]', 'image[]');
      data.append('image[]', new Blob([onePixel]), 'c');
      return data;
    })(),
    upstreamReplies: [edited],
    expectRequests: ([request]) =>
      expect(request?.json['contents']).toEqual([
        { role: 'user', parts: [{ text: 'a hat' }, pixelPart, pixelPart, pixelPart] },
      ]),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    operation: 'image-edit',
    title: 'in JSON, with an image as data',
    model: painter,
    path: '/v1/images/edits',
    body: { model: painter, prompt: 'a hat', images: [{ image_url: image }] },
    upstreamReplies: [edited],
    expectRequests: ([request]) =>
      expect(request?.json['contents']).toEqual([
        { role: 'user', parts: [{ text: 'a hat' }, pixelPart] },
      ]),
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ b64_json: 'aGF0' }] }),
  },
  refusedEdit('several at once', edit({ n: '2' }, 'image'), 'n above 1'),
  refusedEdit('a mask', edit({}, 'image', 'mask'), 'masks'),
  refusedEdit(
    'too many images',
    edit({}, 'image[]', ...Array<string>(16).fill('image[]')),
    'more than 16 images',
  ),
  refusedEdit(
    'Imagen',
    edit({ model: 'imagen-4.0-generate-001' }, 'image'),
    'edits',
    'imagen-4.0-generate-001',
  ),
  refusedEdit(
    'a model that does not generate images',
    edit({ model: talker }, 'image'),
    'images',
    talker,
  ),
];

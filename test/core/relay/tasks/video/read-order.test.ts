import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../../src/core/kernel/errors.ts';
import type { JsonObject } from '../../../../../src/core/kernel/json.ts';
import {
  measureVideo,
  readVideoOrder,
} from '../../../../../src/core/relay/tasks/video/read-order.ts';

const image = 'https://images.example/cat.png';
const t2v = 'wanx2.1-t2v-turbo';
const i2v = 'wanx2.1-i2v-turbo';

/** The fields that a request sets. */
function read(body: JsonObject, model = t2v): Record<string, unknown> {
  return JSON.parse(JSON.stringify(readVideoOrder({ prompt: 'a cat runs', ...body }, model)));
}

function problem(body: JsonObject, model = t2v): unknown {
  try {
    read(body, model);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request')
      return error.params['detail'];
    throw error;
  }
  return undefined;
}

describe('the request', () => {
  it('is made complete with what its model does by default', () => {
    expect(read({ prompt: '  a cat runs ' })).toEqual({
      kind: 't2v',
      prompt: 'a cat runs',
      size: '1280*720',
      resolution: '720P',
      promptExtend: true,
      watermark: false,
    });
    expect(read({ img_url: image, prompt: '' }, i2v)).toMatchObject({
      kind: 'i2v',
      image,
      resolution: '720P',
      seconds: 5,
    });
    expect(read({}, 'wan2.5-t2v-preview')).toMatchObject({
      size: '1920*1080',
      resolution: '1080P',
      seconds: 5,
    });
  });

  it('may be nested as DashScope nests it; what is not nested counts first', () => {
    const nested = {
      input: { prompt: 'inner', img_url: image },
      parameters: { resolution: '480P', duration: 3, seed: 42 },
    };
    expect(read({ prompt: 'outer', ...nested }, i2v)).toMatchObject({
      prompt: 'outer',
      image,
      resolution: '480P',
      seconds: 3,
      seed: 42,
    });
  });

  it.each([
    ['img_url', image],
    ['image', image],
    ['images', [image, 'https://images.example/other.png']],
    ['input_reference', image],
    ['input_reference', { image_url: image }],
    ['input_reference[image_url]', image],
    ['image_url', image],
    ['image_url', { url: image }],
  ])('takes the image as %s', (name, value) => {
    expect(read({ [name]: value }, i2v)).toMatchObject({ kind: 'i2v', image });
  });

  it.each([
    ['16:9', '1280*720'],
    ['9:16', '720*1280'],
    ['1:1', '960*960'],
    ['4:5', '832*1088'],
    ['5:4', '1088*832'],
    ['1280x720', '1280*720'],
    ['960 X 960', '960*960'],
  ])('size %s is %s', (size, expected) => {
    expect(read({ size })).toMatchObject({ size: expected, resolution: '720P' });
  });

  it('ratio words follow the resolution', () => {
    expect(read({ size: '9:16', resolution: '480p' })).toMatchObject({
      size: '480*832',
      resolution: '480P',
    });
    expect(read({ size: '4:5' }, 'wan2.2-t2v-plus')).toMatchObject({
      size: '1248*1632',
      resolution: '1080P',
    });
    expect(read({ resolution: '480' })).toMatchObject({ size: '832*480' });
  });

  it('a size of image-to-video is its resolution', () => {
    const order = read({ img_url: image, size: '480*832' }, i2v);
    expect(order).toMatchObject({ resolution: '480P' });
    expect(order).not.toHaveProperty('size');
  });

  it('numbers and switches may be texts, as forms have them', () => {
    const form = {
      seconds: '4',
      seed: '7',
      prompt_extend: 'false',
      watermark: 'true',
      metadata: '{"negative_prompt":"rain"}',
    };
    expect(read({ img_url: image, ...form }, i2v)).toMatchObject({
      seconds: 4,
      seed: 7,
      promptExtend: false,
      watermark: true,
      negativePrompt: 'rain',
    });
  });

  it('what it makes follows from the images where the model does not say', () => {
    expect(read({}, 'my-video')).toMatchObject({ kind: 't2v' });
    expect(read({ image }, 'my-video')).toMatchObject({ kind: 'i2v' });
    expect(
      read({ first_frame_url: image, last_frame_url: image }, 'wan2.2-kf2v-flash'),
    ).toMatchObject({
      kind: 'kf2v',
      firstFrame: image,
      lastFrame: image,
    });
  });

  it('models that are not known are left to the upstream', () => {
    expect(read({ size: '4000*2000', duration: 33 }, 'my-video')).toMatchObject({
      size: '4000*2000',
      seconds: 33,
    });
  });

  it('wan2.1 is the generation wanx2.1', () => {
    expect(problem({ duration: 10 }, 'wan2.1-t2v-turbo')).toBe('duration must be 5');
  });
});

describe('a request is refused where', () => {
  it.each<[string, JsonObject, string, string]>([
    ['text-to-video has no prompt', { prompt: ' ' }, t2v, 'prompt is required'],
    [
      'the prompt is too long',
      { prompt: '猫'.repeat(801) },
      t2v,
      'prompt may have at most 800 characters',
    ],
    [
      'newer models have their own limit',
      { prompt: 'x'.repeat(1501) },
      'wan2.5-t2v-preview',
      'prompt may have at most 1500 characters',
    ],
    [
      'the negative prompt is too long',
      { negative_prompt: 'x'.repeat(501) },
      t2v,
      'negative_prompt may have at most 500 characters',
    ],
    [
      'text-to-video has an image',
      { img_url: image },
      t2v,
      `${t2v} makes videos from text: it takes no image`,
    ],
    ['image-to-video has none', {}, i2v, 'img_url is required'],
    ['the first frame is missing', {}, 'wan2.2-kf2v-flash', 'first_frame_url is required'],
    [
      'the image is no address',
      { image: 'cat.png' },
      i2v,
      'image must be an http or https address, or a data URI',
    ],
    [
      'the image is a file',
      { image: 'file:///etc/passwd' },
      i2v,
      'image must be an http or https address, or a data URI',
    ],
    ['the image is a number', { image: 5 }, i2v, 'image must be the address of an image'],
    [
      'the address is too long',
      { image: `https://e.example/${'x'.repeat(2048)}` },
      i2v,
      'image may have at most 2048 characters',
    ],
    ['the size is no size', { size: 'large' }, t2v, 'size must be written as 1280*720 or 16:9'],
    [
      'size and resolution differ',
      { size: '1280*720', resolution: '480P' },
      t2v,
      'size 1280*720 is not 480P',
    ],
    [
      'the resolution has no such format',
      { size: '4:5', resolution: '480P' },
      t2v,
      'size 4:5 is not available in 480P',
    ],
    [
      'the model has no such resolution',
      { resolution: '1080P' },
      t2v,
      'resolution must be one of 480P, 720P',
    ],
    [
      'the model has no such length',
      { duration: 10, img_url: image },
      i2v,
      'duration must be one of 3, 4, 5',
    ],
    [
      'the length is no whole number',
      { duration: 5.5 },
      t2v,
      'duration must be a whole number from 0 to 600',
    ],
    ['the seed is negative', { seed: -1 }, t2v, 'seed must be a whole number from 0 to 2147483647'],
    [
      'the seed is too large',
      { seed: 2_147_483_648 },
      t2v,
      'seed must be a whole number from 0 to 2147483647',
    ],
    ['a switch is no switch', { watermark: 'maybe' }, t2v, 'watermark must be true or false'],
    [
      'metadata would change the model',
      { metadata: { model: 'other' } },
      t2v,
      'metadata.model is not supported',
    ],
    ['metadata is a list', { metadata: [1] }, t2v, 'metadata must be an object'],
  ])('%s', (_, body, model, expected) => {
    expect(problem(body, model)).toBe(expected);
  });

  it('lists the sizes of the model', () => {
    expect(problem({ size: '1920*1080' })).toBe(
      'size must be one of 832*480, 480*832, 624*624, 1280*720, 720*1280, 960*960, 1088*832, 832*1088',
    );
  });
});

describe('what a video is priced by', () => {
  it.each<[JsonObject, string, number, string]>([
    [{}, t2v, 5, '720P'],
    [{ img_url: image, duration: 3, size: '480*832' }, i2v, 3, '480P'],
    [{ duration: 10, size: '1:1' }, 'wan2.5-t2v-preview', 10, '720P'],
    [{}, 'my-video', 5, '720P'],
    [{ size: '2000*2000', seconds: '8' }, 'my-video', 8, '1080P'],
  ])('%j of %s', (body, model, seconds, resolution) => {
    expect(measureVideo(readVideoOrder({ prompt: 'x', ...body }, model), model)).toEqual({
      seconds,
      resolution,
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/canonical/provider.ts';
import type { VideoOrder } from '../../../src/core/canonical/video.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import {
  beijingSeconds,
  readSubmission,
  readVideoReport,
} from '../../../src/core/providers/ali/video-reply.ts';
import { encodePoll, encodeVideo } from '../../../src/core/providers/ali/video-request.ts';

const order: VideoOrder = { kind: 't2v', prompt: 'a cat', promptExtend: false, watermark: false };
const image = 'data:image/png;base64,AAAA';

function callOf(model: string): Call {
  return {
    baseUrl: 'https://dashscope.example/compatible-mode/v1',
    key: new Secret('sk-ali'),
    model,
    clientPath: '',
    clientHeaders: {},
    other: '',
    settings: {},
    options: { vendor: {} },
    now: new Date(0),
  };
}

const bodyOf = (given: Partial<VideoOrder>, model: string) =>
  encodeVideo({ ...order, ...given }, callOf(model)).body;
const usual = 'https://dashscope.example/api/v1/services/aigc/video-generation/video-synthesis';

describe('requests', () => {
  it('text-to-video has a size, and is sent as a task', () => {
    const request = encodeVideo(
      { ...order, size: '1280*720', resolution: '720P', seed: 42 },
      callOf('wan2.1-t2v-turbo'),
    );
    expect(request.url).toBe(usual);
    expect(request.headers).toMatchObject({
      authorization: 'Bearer sk-ali',
      'x-dashscope-async': 'enable',
    });
    expect(request.body).toEqual({
      model: 'wanx2.1-t2v-turbo',
      input: { prompt: 'a cat' },
      parameters: { size: '1280*720', prompt_extend: false, watermark: false, seed: 42 },
    });
  });

  it('image-to-video has a resolution and a length', () => {
    const given = {
      kind: 'i2v',
      image,
      resolution: '720P',
      seconds: 5,
      negativePrompt: 'rain',
      template: 'flying',
    } as const;
    expect(bodyOf({ ...given, prompt: '' }, 'wanx2.1-i2v-turbo')).toEqual({
      model: 'wanx2.1-i2v-turbo',
      input: { negative_prompt: 'rain', img_url: image, template: 'flying' },
      parameters: { resolution: '720P', duration: 5, prompt_extend: false, watermark: false },
    });
  });

  it('first and last frame have an address of their own', () => {
    const frames = {
      kind: 'kf2v',
      firstFrame: image,
      lastFrame: image,
      resolution: '720P',
    } as const;
    const request = encodeVideo({ ...order, ...frames }, callOf('wan2.2-kf2v-flash'));
    expect(request.url).toBe(
      'https://dashscope.example/api/v1/services/aigc/image2video/video-synthesis',
    );
    expect(request.body).toMatchObject({
      input: { first_frame_url: image, last_frame_url: image },
    });
  });

  it('from 2.7 on images and sound are a list of media, and text-to-video has resolution and ratio', () => {
    const media = {
      kind: 'i2v',
      image,
      lastFrame: image,
      audioUrl: 'https://a.example/a.mp3',
      resolution: '1080P',
      seconds: 8,
    } as const;
    expect(bodyOf(media, 'wan2.7-i2v')).toEqual({
      model: 'wan2.7-i2v',
      input: {
        prompt: 'a cat',
        media: [
          { type: 'first_frame', url: image },
          { type: 'last_frame', url: image },
          { type: 'driving_audio', url: 'https://a.example/a.mp3' },
        ],
      },
      parameters: { resolution: '1080P', duration: 8, prompt_extend: false, watermark: false },
    });
    expect(
      bodyOf({ size: '832*1088', resolution: '720P', seconds: 8 }, 'wan2.7-t2v-2026-06-12'),
    ).toMatchObject({
      parameters: { resolution: '720P', ratio: '3:4', duration: 8 },
    });
    expect(bodyOf({ size: '4000*4000', resolution: '1080P' }, 'wan2.7-t2v')).not.toHaveProperty(
      'parameters.ratio',
    );
  });

  it('a poll names the task', () => {
    expect(encodePoll('a/b', callOf(''))).toMatchObject({
      method: 'GET',
      url: 'https://dashscope.example/api/v1/tasks/a%2Fb',
    });
  });
});

describe('replies', () => {
  it('an accepted task has an id', () => {
    expect(readSubmission({ output: { task_id: 't-1', task_status: 'PENDING' } })).toBe('t-1');
  });

  it.each([
    ['Throttling.RateQuota', 429],
    ['InvalidApiKey', 401],
    ['AccessDenied.Unpurchased', 403],
    ['Arrearage', 402],
    ['InvalidParameter.DataInspection', 400],
    ['InvalidURL.ConnectionRefused', 400],
    ['DataInspectionFailed', 400],
    ['ModelNotFound', 404],
  ])('%s is %i', (code, status) => {
    expect(() => readSubmission({ code, message: 'no', request_id: 'r' })).toThrow(
      expect.objectContaining({ error: expect.objectContaining({ status, code, message: 'no' }) }),
    );
  });

  it.each([
    ['PENDING', 'QUEUED'],
    ['SUSPENDED', 'QUEUED'],
    ['RUNNING', 'IN_PROGRESS'],
    ['CANCELED', 'FAILURE'],
    ['UNKNOWN', 'GONE'],
    ['DREAMING', 'UNKNOWN'],
  ])('%s is %s', (word, state) => {
    expect(readVideoReport({ output: { task_id: 't', task_status: word } })).toMatchObject({
      state,
      videoUrl: undefined,
    });
  });

  it('a finished video has an address, a length and times of Beijing', () => {
    const times = { scheduled_time: '2025-01-08 10:00:01.5', end_time: '2025-01-08 10:01:00.123' };
    const output = { task_status: 'SUCCEEDED', video_url: 'https://r.example/v.mp4', ...times };
    expect(
      readVideoReport({
        output,
        usage: { video_duration: 5, video_ratio: '1280*720', video_count: 1 },
      }),
    ).toEqual({
      state: 'SUCCESS',
      failReason: '',
      videoUrl: 'https://r.example/v.mp4',
      seconds: 5,
      size: '1280*720',
      startTime: Date.UTC(2025, 0, 8, 2, 0, 1) / 1000,
      finishTime: Date.UTC(2025, 0, 8, 2, 1, 0) / 1000,
    });
    const usage = { duration: 10, output_video_duration: 8, size: '1920*1080', SR: 1080 };
    expect(readVideoReport({ output, usage })).toMatchObject({ seconds: 8, size: '1920*1080' });
    expect(readVideoReport({ output, usage: { video_ratio: 'standard', SR: 720 } })).toMatchObject({
      size: '720P',
    });
  });

  it('success without a video is a failure', () => {
    expect(readVideoReport({ output: { task_status: 'SUCCEEDED' } })).toMatchObject({
      state: 'FAILURE',
      failReason: 'no video in the result',
    });
  });

  it('a failure has its reason', () => {
    const output = { task_status: 'FAILED', code: 'InvalidURL', message: 'cannot be fetched' };
    expect(readVideoReport({ output })).toMatchObject({
      state: 'FAILURE',
      failReason: 'InvalidURL: cannot be fetched',
    });
    expect(readVideoReport({ output: { task_status: 'CANCELED' } })).toMatchObject({
      failReason: 'canceled upstream',
    });
  });

  it('an error in place of a task is thrown', () => {
    expect(() => readVideoReport({ code: 'InvalidApiKey', message: 'no' })).toThrow();
  });

  it('times that are none are absent', () => {
    expect(beijingSeconds('soon')).toBeUndefined();
    expect(beijingSeconds('2025-13-40 10:00:00')).toBeUndefined();
  });
});

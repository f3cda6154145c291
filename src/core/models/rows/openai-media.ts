/** OpenAI's models of sound, images and vectors, the newest first. */
import type { ModelRow } from '../schema.ts';
import { genaiPrices, litellm, rowsFrom } from './listed.ts';

const origin = { vendor: 'openai', ...litellm } as const;

/** Images in realtime sessions. */
const realtimeImages = { imageInput: 5, imageCacheRead: 0.5 };
const smallRealtimeImages = { imageInput: 0.8, imageCacheRead: 0.08 };

/** What goes into image models since gpt-image-1.5. */
const imageModelInput = { input: 5, cacheRead: 1.25, imageInput: 8, imageCacheRead: 2 };

/**
 * What transcription costs for sound is pydantic's figure, which fits the vendor's price for a
 * minute; LiteLLM has that of text in its place. Cached sound of the small realtime models is
 * https://developers.openai.com/api/docs/pricing (2026-09-16); that of the others costs what cached
 * text costs.
 */
const sound = rowsFrom(origin, [
  ['gpt-audio-1.5', { input: 2.5, output: 10, audioInput: 32, audioOutput: 64 }],
  [
    'gpt-audio',
    { input: 2.5, output: 10, audioInput: 32, audioOutput: 64 },
    { ends: '2027-01-20', successor: 'gpt-audio-1.5' },
  ],
  [
    'gpt-audio-mini',
    { input: 0.6, output: 2.4, audioInput: 10, audioOutput: 20 },
    { ends: '2027-01-20', successor: 'gpt-audio-1.5' },
  ],
  [
    'gpt-4o-audio-preview-2025-06-03',
    { input: 2.5, output: 10, audioInput: 40, audioOutput: 80 },
    { ends: '2027-01-20', successor: 'gpt-audio-1.5' },
  ],
  [
    'gpt-4o-audio-preview-2024-12-17',
    { input: 2.5, output: 10, audioInput: 40, audioOutput: 80 },
    { ends: '2027-01-20', successor: 'gpt-audio-1.5' },
  ],
  [
    'gpt-4o-mini-audio-preview-2024-12-17',
    { input: 0.15, output: 0.6, audioInput: 10, audioOutput: 20 },
    { ends: '2027-01-20', successor: 'gpt-audio-1.5' },
  ],
  [
    'gpt-realtime-2.1',
    { input: 4, output: 24, cacheRead: 0.4, audioInput: 32, audioOutput: 64, ...realtimeImages },
  ],
  [
    'gpt-realtime-2.1-mini',
    {
      input: 0.6,
      output: 2.4,
      cacheRead: 0.06,
      ...smallRealtimeImages,
      audioInput: 10,
      audioOutput: 20,
      audioCacheRead: 0.3,
    },
  ],
  [
    'gpt-realtime-2',
    { input: 4, output: 24, cacheRead: 0.4, audioInput: 32, audioOutput: 64, ...realtimeImages },
  ],
  [
    'gpt-realtime-1.5',
    { input: 4, output: 16, cacheRead: 0.4, audioInput: 32, audioOutput: 64, ...realtimeImages },
  ],
  [
    'gpt-realtime',
    { input: 4, output: 16, cacheRead: 0.4, audioInput: 32, audioOutput: 64, ...realtimeImages },
    { ends: '2027-01-20', successor: 'gpt-realtime-2.1' },
  ],
  [
    'gpt-realtime-mini',
    {
      input: 0.6,
      output: 2.4,
      cacheRead: 0.06,
      ...smallRealtimeImages,
      audioInput: 10,
      audioOutput: 20,
      audioCacheRead: 0.3,
    },
    { ends: '2027-01-20', successor: 'gpt-realtime-2.1-mini' },
  ],
  [
    'gpt-4o-mini-realtime-preview-2024-12-17',
    { input: 0.6, output: 2.4, cacheRead: 0.3, audioInput: 10, audioOutput: 20 },
    { ends: '2027-01-20', successor: 'gpt-realtime-2.1-mini' },
  ],
  [
    'gpt-4o-mini-tts',
    { input: 0.6, output: 12, audioInput: 0.6, audioOutput: 12 },
    // LiteLLM's output is text, of which it writes none; its audio is the same.
    { ends: '2027-01-06', successor: 'gpt-realtime-2.1-mini', ...genaiPrices },
  ],
  [
    'gpt-4o-transcribe',
    { input: 2.5, output: 10, audioInput: 6 },
    { ends: '2027-02-26', successor: 'gpt-live-transcribe' },
  ],
  [
    'gpt-4o-transcribe-diarize',
    { input: 2.5, output: 10, audioInput: 6 },
    { ends: '2027-02-26', successor: 'gpt-live-transcribe' },
  ],
  [
    'gpt-4o-mini-transcribe',
    { input: 1.25, output: 5, audioInput: 3 },
    { ends: '2027-02-26', successor: 'gpt-live-transcribe' },
  ],
  ['gpt-transcribe', undefined, { kind: 'transcription' }],
  ['gpt-live-transcribe', undefined, { kind: 'transcription' }],
]);

/** `output` is the price of image tokens, of which nearly all of the output is made. */
const images = rowsFrom({ kind: 'image', ...origin }, [
  ['gpt-image-2.6-sunburst', { ...imageModelInput, output: 30 }],
  ['gpt-image-2.6-flare', { ...imageModelInput, output: 30 }],
  ['gpt-image-2.5-sunburst', { ...imageModelInput, output: 30, factors: { batch: 0.5 } }],
  ['gpt-image-2.5-flare', { ...imageModelInput, output: 30, factors: { batch: 0.5 } }],
  ['gpt-image-2', { ...imageModelInput, output: 30, factors: { batch: 0.5 } }],
  [
    'gpt-image-1.5',
    { ...imageModelInput, output: 32, textOutput: 10, factors: { batch: 0.5 } },
    { ends: '2026-12-01', successor: 'gpt-image-2.5-sunburst' },
  ],
  [
    'gpt-image-1',
    {
      input: 5,
      output: 40,
      cacheRead: 1.25,
      imageInput: 10,
      imageCacheRead: 2.5,
      factors: { batch: 0.5 },
    },
    { ends: '2026-10-23', successor: 'gpt-image-2.5-sunburst' },
  ],
  [
    'gpt-image-1-mini',
    {
      input: 2,
      output: 8,
      cacheRead: 0.2,
      imageInput: 2.5,
      imageCacheRead: 0.25,
      factors: { batch: 0.5 },
    },
    { ends: '2026-12-01', successor: 'gpt-image-2.5-sunburst' },
  ],
  [
    'chatgpt-image-latest',
    { ...imageModelInput, output: 32, textOutput: 10, factors: { batch: 0.5 } },
    { ends: '2026-12-01', successor: 'gpt-image-2.5-sunburst' },
  ],
]);

const others = rowsFrom(origin, [
  ['text-embedding-3-large', { input: 0.13, output: 0, factors: { batch: 0.5 } }],
  ['text-embedding-3-small', { input: 0.02, output: 0, factors: { batch: 0.5 } }],
  ['text-embedding-ada-002', { input: 0.1, output: 0 }],
  ['omni-moderation-latest', undefined, { kind: 'moderation' }],
]);

export const openaiMediaRows: readonly ModelRow[] = [...sound, ...images, ...others];

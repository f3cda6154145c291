/** Sound and vectors, and what OpenAI's list says that they cost. */
import { wav } from '../../../support/audio-files.ts';
import { type Answer, sendJson } from '../../../support/upstream.ts';
import { million } from './token-cases.ts';
import type { FeeName } from './vendor-lists.ts';

export interface MediaCase {
  readonly model: string;
  readonly what: string;
  readonly path: string;
  readonly body: () => string | FormData;
  readonly answer: Answer;
  readonly dollars: number;
  readonly fees?: readonly FeeName[];
}

const json = (reply: object): Answer => {
  return (response) => sendJson(response, 200, reply);
};
const events =
  (...all: readonly { readonly type: string }[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(''));
  };

function recording(model: string, stream = false): FormData {
  const form = new FormData();
  form.set('model', model);
  form.set('file', new Blob([new Uint8Array(wav(90))], { type: 'audio/wav' }), 'talk.wav');
  if (stream) form.set('stream', 'true');
  return form;
}

/** 900 tokens of sound beside a prompt of 20, and 50 of transcript. */
const transcribed = {
  type: 'tokens',
  input_tokens: 920,
  output_tokens: 50,
  total_tokens: 970,
  input_token_details: { text_tokens: 20, audio_tokens: 900 },
};
const transcriptions = '/v1/audio/transcriptions';
const spoken = { input_tokens: 20, output_tokens: 1000, total_tokens: 1020 };
const speech = (model: string, more = {}) => ({
  model,
  path: '/v1/audio/speech',
  body: () => JSON.stringify({ model, input: 'Hello there', voice: 'alloy', ...more }),
});
const embedded = (model: string, input: number) => ({
  model,
  what: 'embeddings',
  path: '/v1/embeddings',
  body: () => JSON.stringify({ model, input: 'hi' }),
  answer: json({
    object: 'list',
    model,
    data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
    usage: { prompt_tokens: 50_000, total_tokens: 50_000 },
  }),
  dollars: (50_000 * input) / million,
});
const heard = (model: string, text: number, sound: number, output: number): MediaCase[] => {
  const dollars = (20 * text + 900 * sound + 50 * output) / million;
  const done = { type: 'transcript.text.done', text: 'Hello', usage: transcribed };
  return [
    {
      model,
      what: 'transcription',
      path: transcriptions,
      dollars,
      body: () => recording(model),
      answer: json({ text: 'Hello', usage: transcribed }),
    },
    {
      model,
      what: 'transcription, streamed',
      path: transcriptions,
      dollars,
      body: () => recording(model, true),
      answer: events({ type: 'transcript.text.delta' }, done),
    },
  ];
};

export const mediaCases: readonly MediaCase[] = [
  {
    what: 'speech, with its usage',
    ...speech('gpt-4o-mini-tts', { stream_format: 'sse' }),
    answer: events({ type: 'speech.audio.delta' }, {
      type: 'speech.audio.done',
      usage: spoken,
    } as { readonly type: string }),
    dollars: (20 * 0.6 + 1000 * 12) / million,
  },
  {
    fees: ['spoken_minute'],
    what: 'speech of a minute, without its usage',
    ...speech('gpt-4o-mini-tts'),
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.end(wav(60));
    },
    dollars: (3 * 0.6) / million + 0.015,
  },
  {
    what: 'speech, by the character',
    ...speech('tts-1'),
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end(Buffer.alloc(1000, 1));
    },
    dollars: (11 * 15) / million,
  },
  ...heard('gpt-4o-transcribe', 2.5, 6, 10),
  ...heard('gpt-4o-mini-transcribe', 1.25, 3, 5),
  {
    fees: ['whisper'],
    model: 'whisper-1',
    what: 'a minute and a half',
    path: transcriptions,
    body: () => recording('whisper-1'),
    answer: json({ text: 'Hello' }),
    dollars: 1.5 * 0.006,
  },
  embedded('text-embedding-3-small', 0.02),
  embedded('text-embedding-3-large', 0.13),
  embedded('text-embedding-ada-002', 0.1),
];

/**
 * 20 tokens of text (10 cached), 80 of sound (30 cached) and 40 of images (15 cached) in; 40 of text
 * and 60 of sound out.
 */
export const realtimeUsage = {
  total_tokens: 240,
  input_tokens: 140,
  output_tokens: 100,
  input_token_details: {
    cached_tokens: 55,
    text_tokens: 20,
    audio_tokens: 80,
    image_tokens: 40,
    cached_tokens_details: { text_tokens: 10, audio_tokens: 30, image_tokens: 15 },
  },
  output_token_details: { text_tokens: 40, audio_tokens: 60 },
};

type Three = readonly [number, number, number];

const session = (
  model: string,
  [text, cached, output]: Three,
  [sound, cachedSound, spokenSound]: Three,
  [image, cachedImage]: readonly [number, number],
) => ({
  model,
  dollars:
    (10 * text + 10 * cached + 50 * sound + 30 * cachedSound + 40 * output + 60 * spokenSound) /
      million +
    (25 * image + 15 * cachedImage) / million,
});

export const realtimeCases = [
  session('gpt-realtime-2.1', [4, 0.4, 24], [32, 0.4, 64], [5, 0.5]),
  session('gpt-realtime-2.1-mini', [0.6, 0.06, 2.4], [10, 0.3, 20], [0.8, 0.08]),
  session('gpt-realtime', [4, 0.4, 16], [32, 0.4, 64], [5, 0.5]),
  session('gpt-realtime-mini', [0.6, 0.06, 2.4], [10, 0.3, 20], [0.8, 0.08]),
];

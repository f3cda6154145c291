/** Ali's speech synthesis and recognition. */

import { expect } from 'vitest';
import { sendJson } from '../../../support/upstream.ts';
import type { ProviderCase } from './case.ts';
import { errorIn } from './chat-replies.ts';
import { expectAccountsFault } from './expectations.ts';
import { form, silentWav } from './openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from './upstream-replies.ts';

const generation = '/api/v1/services/aigc/multimodal-generation/generation';
const synthesis = '/api/v1/services/audio/tts/SpeechSynthesizer';
/** The samples in the recorded reply of Qwen-TTS: 24 kHz, 16 bit. */
const samples = [1, 0, 255, 127, 0, 128, 2, 0];

const qwen = { operation: 'speech', model: 'qwen3-tts-flash', path: '/v1/audio/speech' } as const;
const cosy = { ...qwen, model: 'cosyvoice-v3-flash' } as const;

export const speechCases: readonly ProviderCase[] = [
  {
    ...qwen,
    body: {
      model: qwen.model,
      input: '你好 Qwen',
      voice: 'alloy',
      speed: 1.5,
      instructions: 'Cheerful.',
      language_type: 'Chinese',
    },
    upstreamReplies: [recordedStream('ali', 'speech.sse')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(generation);
      expect(request?.headers).toMatchObject({
        authorization: 'Bearer upstream-key',
        'x-dashscope-sse': 'enable',
      });
      expect(request?.json).toEqual({
        model: qwen.model,
        input: { text: '你好 Qwen', voice: 'Cherry', language_type: 'Chinese' },
      });
    },
    expectReply: ({ headers, bytes }) => {
      expect(headers.get('content-type')).toBe('audio/wav');
      const file = Buffer.from(bytes);
      expect([file.toString('latin1', 0, 4), file.readUInt32LE(24), file.readUInt32LE(40)]).toEqual(
        ['RIFF', 24_000, 8],
      );
      expect([...file.subarray(44)]).toEqual(samples);
    },
    billed: { prompt: 19, completion: 0 },
  },
  {
    ...qwen,
    title: 'raw samples, by a model with instructions',
    model: 'qwen3-tts-instruct-flash',
    body: {
      model: 'qwen3-tts-instruct-flash',
      input: 'Hi',
      voice: 'Dylan',
      instructions: 'Cheerful.',
      optimize_instructions: true,
      response_format: 'pcm',
    },
    upstreamReplies: [recordedStream('ali', 'speech.sse')],
    expectRequests: ([request]) =>
      expect(request?.json.input).toEqual({
        text: 'Hi',
        voice: 'Dylan',
        instructions: 'Cheerful.',
        optimize_instructions: true,
      }),
    expectReply: ({ headers, bytes }) => {
      expect(headers.get('content-type')).toBe('audio/pcm');
      expect([...bytes]).toEqual(samples);
    },
  },
  {
    ...qwen,
    title: 'charged by tokens',
    model: 'qwen-tts',
    body: { model: 'qwen-tts', input: 'Hi', voice: 'Cherry' },
    upstreamReplies: [
      (response) => {
        const usage = { input_tokens: 76, output_tokens: 1045, characters: 0, total_tokens: 1121 };
        const event = {
          output: { finish_reason: 'stop', audio: { data: 'AQA=', url: '' } },
          usage,
        };
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`data:${JSON.stringify(event)}\n\n`);
      },
    ],
    expectRequests: ([request]) => expect(request?.path).toBe(generation),
    expectReply: ({ status }) => expect(status).toBe(200),
    billed: { prompt: 76, completion: 1045 },
  },
  {
    ...qwen,
    title: 'an unsupported audio format',
    body: { model: qwen.model, input: 'Hi', voice: 'Cherry', response_format: 'mp3' },
    expectRequests: (requests) => expect(requests).toHaveLength(0),
    expectReply: ({ status, text }) => {
      expect(status).toBe(400);
      expect(text).toContain('speech as mp3');
    },
  },
  {
    ...cosy,
    title: 'in sentences',
    body: {
      model: cosy.model,
      input: 'Hi.',
      voice: 'longanyang',
      speed: 1.2,
      instructions: 'Cheerful.',
      volume: 70,
    },
    upstreamReplies: [recordedStream('ali', 'speech-sentences.sse')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(synthesis);
      expect(request?.headers).toMatchObject({ 'x-dashscope-sse': 'enable' });
      expect(request?.json).toEqual({
        model: cosy.model,
        input: {
          text: 'Hi.',
          voice: 'longanyang',
          format: 'mp3',
          sample_rate: 24_000,
          rate: 1.2,
          instruction: 'Cheerful.',
          volume: 70,
        },
      });
    },
    expectReply: ({ headers, bytes }) => {
      expect(headers.get('content-type')).toBe('audio/mpeg');
      expect([...bytes]).toEqual([0xff, 0xfb, 0x90, 0x44, 0]);
    },
    billed: { prompt: 3, completion: 0 },
  },
  {
    ...cosy,
    title: 'in sentences, as a file with a header',
    model: 'qwen-audio-3.0-tts-flash',
    body: {
      model: 'qwen-audio-3.0-tts-flash',
      input: 'Hi.',
      voice: 'longanhuan_v3.6',
      response_format: 'wav',
      sample_rate: 16_000,
    },
    upstreamReplies: [recordedStream('ali', 'speech-sentences.sse')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(synthesis);
      expect(request?.json.input).toMatchObject({ format: 'pcm', sample_rate: 16_000 });
    },
    expectReply: ({ headers, bytes }) => {
      expect(headers.get('content-type')).toBe('audio/wav');
      expect(Buffer.from(bytes).readUInt32LE(24)).toBe(16_000);
    },
  },
  {
    ...cosy,
    title: 'a rate limit instead of the audio',
    body: { model: cosy.model, input: 'Hi.', voice: 'longanyang' },
    upstreamReplies: [recordedStream('ali', 'speech-refused.sse')],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: 'Throttling.RateQuota' });
    },
  },
  {
    ...qwen,
    title: 'an unknown voice',
    body: { model: qwen.model, input: 'Hi.', voice: 'nobody' },
    upstreamReplies: [
      (response) =>
        sendJson(response, 400, {
          code: 'InvalidParameter',
          message: 'Voice not found.',
          request_id: 'r',
        }),
    ],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: (reply) => {
      expect(reply.status).toBe(400);
      expect(errorIn(reply)).toMatchObject({ code: 'InvalidParameter' });
    },
  },
];

const transcribed = {
  operation: 'transcription',
  model: 'qwen3-asr-flash',
  path: '/v1/audio/transcriptions',
} as const;
const wav = Buffer.from(await silentWav().arrayBuffer()).toString('base64');
const fields = {
  model: transcribed.model,
  language: 'zh',
  prompt: '阿里云',
  enable_itn: 'true',
  temperature: '0',
};

export const transcriptionCases: readonly ProviderCase[] = [
  {
    ...transcribed,
    body: form({ ...fields, response_format: 'verbose_json' }, ['file', silentWav(), 'a.wav']),
    upstreamReplies: [recordedReply('ali', 'reply-transcription.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(generation);
      expect(request?.headers).toMatchObject({ authorization: 'Bearer upstream-key' });
      expect(request?.json).toEqual({
        model: transcribed.model,
        input: {
          messages: [
            { role: 'system', content: [{ text: '阿里云' }] },
            { role: 'user', content: [{ audio: `data:audio/wav;base64,${wav}` }] },
          ],
        },
        parameters: { asr_options: { language: 'zh', enable_itn: true } },
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ text: '欢迎使用阿里云。', language: 'zh', duration: 30 }),
    // Half a minute.
    billed: { prompt: 500, completion: 0 },
  },
  {
    ...transcribed,
    title: 'an unlabelled file that contains silence',
    body: form({ model: transcribed.model }, [
      'file',
      new Blob([await silentWav().arrayBuffer()]),
      'a.MP3',
    ]),
    upstreamReplies: [
      jsonReply({
        output: { choices: [{ message: { content: [], role: 'assistant' } }] },
        usage: { seconds: 1 },
      }),
    ],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({
        input: { messages: [{ content: [{ audio: `data:audio/mpeg;base64,${wav}` }] }] },
        parameters: { asr_options: {} },
      }),
    expectReply: ({ json }) => expect(json).toMatchObject({ text: '' }),
  },
  {
    ...transcribed,
    title: 'a model that accepts URLs only',
    model: 'qwen3-asr-flash-filetrans',
    body: form({ model: 'qwen3-asr-flash-filetrans' }, ['file', silentWav(), 'a.wav']),
    expectRequests: (requests) => expect(requests).toHaveLength(0),
    expectReply: ({ status, text }) => {
      expect(status).toBe(400);
      expect(text).toContain('qwen3-asr-flash-filetrans');
    },
  },
  {
    ...transcribed,
    title: 'insufficient balance',
    body: form({ model: transcribed.model }, ['file', silentWav(), 'a.wav']),
    upstreamReplies: [recordedReply('ali', 'failure-arrearage.json', 400)],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: { status: 402, error: 'Arrearage' },
  },
];

/** A request on every route that costs money; the tests compare it with the routes there are. */
import { startTestGateway } from './gateway.ts';
import { chatReply, startUpstream } from './upstream.ts';

export const paidModel = 'gpt-test';
const model = paidModel;
export const paidChat = { model, messages: [{ role: 'user', content: 'hello' }] };
const chat = paidChat;

function formOf(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const file = new Blob(['not heard'], { type: 'audio/wav' });
const prompt = { model, prompt: 'hello' };
const gemini = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] };
const conversation = { model, input: 'hello' };

/** A request of each format; those of the realtime API are sockets. */
export const ofFormats: Readonly<Record<string, readonly [string, unknown?]>> = {
  'openai-chat': ['/v1/chat/completions'],
  'openai-completions': ['/v1/completions', prompt],
  'openai-responses': ['/v1/responses', conversation],
  'openai-responses-compact': ['/v1/responses/compact', conversation],
  'anthropic-messages': ['/v1/messages', { ...chat, max_tokens: 5 }],
  'gemini-generate': [`/v1beta/models/${model}:generateContent`, gemini],
  'openai-embeddings': ['/v1/embeddings', conversation],
  'gemini-embed': [
    `/v1beta/models/${model}:embedContent`,
    { content: { parts: [{ text: 'hello' }] } },
  ],
  'openai-images': ['/v1/images/generations', { model: 'dall-e-3', prompt: 'a cat' }],
  'openai-image-edits': [
    '/v1/images/edits',
    formOf({ model: 'dall-e-3', prompt: 'a cat', image: new Blob(['x'], { type: 'image/png' }) }),
  ],
  'openai-speech': ['/v1/audio/speech', { model, input: 'hello', voice: 'alloy' }],
  'openai-transcriptions': ['/v1/audio/transcriptions', formOf({ model, file })],
  'openai-translations': ['/v1/audio/translations', formOf({ model, file })],
  'openai-moderations': ['/v1/moderations', conversation],
  'jina-rerank': ['/v1/rerank', { model, query: 'a', documents: ['b'] }],
  'cohere-chat': ['/v2/chat', chat],
  'cohere-rerank': ['/v2/rerank', { model, query: 'a', documents: ['b'] }],
};
const drawing = { prompt: 'a cat' };
/** A submit of each task platform, by the pattern of its path. */
export const ofTasks: readonly (readonly [string, unknown])[] = [
  ['/suno/submit/music', { prompt: 'a song' }],
  ['/mj/submit/imagine', drawing],
  ['/v1/videos', { model, prompt: 'a film' }],
];

/** A gateway with one channel and prices for all paid routes; `reset` before each test. */
export async function startPaidGateway() {
  const upstream = await startUpstream();
  const gateway = await startTestGateway();
  await gateway.set('ModelRatio', { [paidModel]: 1 });
  await gateway.set('ModelPrice', { 'dall-e-3': 0.01, suno_music: 0.01, mj_imagine: 0.01 });
  await gateway.set('RetryTimes', 0);
  await gateway.set('DrawingEnabled', true);
  await gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: `${paidModel},dall-e-3,suno_music,mj_imagine`,
  });
  return {
    gateway,
    upstream,
    reset() {
      upstream.answer(chatReply());
      upstream.requests.length = 0;
    },
    async close() {
      await gateway.close();
      await upstream.close();
    },
  };
}

/**
 * An upstream of every operation whose usage is what an honest tokenizer counts, and whose answers
 * are as long as allowed.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { sendJson } from './upstream.ts';

export interface HonestUpstream {
  readonly url: string;
  close(): Promise<void>;
}

/** Output tokens per answer of a request that names no limit. */
const usualOutput = 1024;
/** 16 kHz, 16 bits, one channel. */
const wavBytesPerSecond = 32_000;
/** Of the largest image that gpt-4o sees. */
const imageTokens = 1445;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numberIn = (body: Json, ...names: readonly string[]): number | undefined =>
  names.map((name) => body[name]).find((value) => typeof value === 'number');

const anyText = { disallowedSpecial: new Set<string>() };
/** Long runs are counted in pieces: the tokenizer's time grows with the square of their length. */
const tokensOf = (text: string): number =>
  (text.match(/[\s\S]{1,200}/g) ?? []).reduce((sum, piece) => sum + countTokens(piece, anyText), 0);

/** Tokens of all texts and images below a value. */
function tokensIn(value: unknown, key = ''): number {
  if (typeof value === 'string')
    return ['type', 'role', 'format', 'media_type', 'mimeType'].includes(key) ? 0 : tokensOf(value);
  if (typeof value === 'number') return 1;
  if (Array.isArray(value))
    return value.reduce<number>((sum, item) => sum + tokensIn(item, key), 0);
  if (!isObject(value)) return 0;
  const isImage =
    value['image_url'] !== undefined ||
    value['inlineData'] !== undefined ||
    isObject(value['source']);
  if (isImage) return imageTokens;
  const message = value['role'] === undefined ? 0 : 4;
  return Object.entries(value).reduce((sum, [name, item]) => sum + tokensIn(item, name), message);
}

interface Call {
  readonly path: string;
  readonly body: Json;
  /** Bytes of the body. */
  readonly size: number;
  readonly response: ServerResponse;
}

const replies: readonly (readonly [RegExp, (call: Call) => void])[] = [
  [
    /\/chat\/completions$/,
    ({ body, response }) => {
      const answers = numberIn(body, 'n') ?? 1;
      const output =
        (numberIn(body, 'max_completion_tokens', 'max_tokens') ?? usualOutput) * answers;
      const message = { role: 'assistant', content: 'yes' };
      sendJson(response, 200, {
        id: 'x',
        object: 'chat.completion',
        model: body['model'],
        choices: Array.from({ length: answers }, (_, index) => ({
          index,
          message,
          finish_reason: 'length',
        })),
        usage: openAiUsage(3 + tokensIn(body['messages']) + tokensIn(body['tools']), output),
      });
    },
  ],
  [
    /\/completions$/,
    ({ body, response }) => {
      const { prompt } = body;
      const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
      const answers = Math.max(numberIn(body, 'n') ?? 1, numberIn(body, 'best_of') ?? 1);
      sendJson(response, 200, {
        object: 'text_completion',
        model: body['model'],
        choices: [{ index: 0, text: 'yes', finish_reason: 'length' }],
        usage: openAiUsage(
          tokensIn(prompt),
          prompts * answers * (numberIn(body, 'max_tokens') ?? usualOutput),
        ),
      });
    },
  ],
  [
    /\/messages$/,
    ({ body, response }) => {
      const input = tokensIn(body['messages']) + tokensIn(body['system']);
      const cached = JSON.stringify(body).includes('cache_control') ? input : 0;
      sendJson(response, 200, {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: body['model'],
        content: [{ type: 'text', text: 'yes' }],
        stop_reason: 'max_tokens',
        usage: {
          input_tokens: input - cached,
          cache_creation_input_tokens: cached,
          cache_creation: { ephemeral_1h_input_tokens: cached, ephemeral_5m_input_tokens: 0 },
          output_tokens: numberIn(body, 'max_tokens') ?? usualOutput,
        },
      });
    },
  ],
  [
    /\/responses$/,
    ({ body, response }) => {
      const input = 3 + tokensIn(body['input']) + tokensIn(body['instructions']);
      const output = numberIn(body, 'max_output_tokens') ?? usualOutput;
      sendJson(response, 200, {
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        model: body['model'],
        output: [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'yes', annotations: [] }],
          },
        ],
        usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
      });
    },
  ],
  [
    /:generateContent$/,
    ({ body, response }) => {
      const config = isObject(body['generationConfig']) ? body['generationConfig'] : {};
      const output =
        (numberIn(config, 'maxOutputTokens') ?? usualOutput) *
        (numberIn(config, 'candidateCount') ?? 1);
      const input = tokensIn(body['contents']);
      sendJson(response, 200, {
        candidates: [
          {
            index: 0,
            content: { role: 'model', parts: [{ text: 'yes' }] },
            finishReason: 'MAX_TOKENS',
          },
        ],
        usageMetadata: {
          promptTokenCount: input,
          candidatesTokenCount: output,
          totalTokenCount: input + output,
        },
      });
    },
  ],
  [
    /\/embeddings$/,
    ({ body, response }) =>
      sendJson(response, 200, {
        object: 'list',
        model: body['model'],
        data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
        usage: openAiUsage(tokensIn(body['input']), 0),
      }),
  ],
  [
    /\/images\/generations$/,
    ({ body, response }) => {
      const count = numberIn(body, 'n') ?? 1;
      sendJson(response, 200, {
        created: 1,
        data: Array.from({ length: count }, () => ({ b64_json: 'aGk=' })),
        ...(String(body['model']).startsWith('gpt-image')
          ? {
              usage: {
                input_tokens: tokensIn(body['prompt']),
                output_tokens: 6240 * count,
                total_tokens: 6240 * count,
              },
            }
          : {}),
      });
    },
  ],
  [
    /\/audio\/speech$/,
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end(Buffer.from('ID3'));
    },
  ],
  [
    /\/audio\/transcriptions$/,
    ({ size, response }) => {
      const seconds = size / wavBytesPerSecond;
      const usage = {
        input_tokens: Math.round(10 * seconds),
        output_tokens: Math.round(4 * seconds),
      };
      const total_tokens = usage.input_tokens + usage.output_tokens;
      sendJson(response, 200, { text: 'yes', usage: { type: 'tokens', ...usage, total_tokens } });
    },
  ],
  [
    /\/rerank$/,
    ({ body, response }) => {
      const documents = Array.isArray(body['documents']) ? body['documents'] : [];
      const tokens = tokensIn(documents) + documents.length * tokensIn(body['query']);
      sendJson(response, 200, {
        model: body['model'],
        results: [{ index: 0, relevance_score: 0.5 }],
        usage: { total_tokens: tokens, prompt_tokens: tokens },
      });
    },
  ],
  [
    /\/moderations$/,
    ({ response }) =>
      sendJson(response, 200, { id: 'm', model: 'm', results: [{ flagged: false }] }),
  ],
];

function openAiUsage(prompt: number, completion: number): Json {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const path = request.url?.split('?')[0] ?? '';
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  const reply = replies.find(([pattern]) => pattern.test(path))?.[1];
  if (reply === undefined) return sendJson(response, 404, { error: { message: `no ${path}` } });
  reply({
    path,
    body: isJson ? (JSON.parse(bytes.toString('utf8')) as Json) : {},
    size: bytes.length,
    response,
  });
}

export async function startHonestUpstream(): Promise<HonestUpstream> {
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

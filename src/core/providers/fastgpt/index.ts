/**
 * Type 22 (docs/rules/providers.md#fastgpt): one application per key, which decides on model and
 * sampling itself.
 */

import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { StreamEvent, StreamRewriter } from '../../canonical/pass-through.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';
import { isObject, type JsonObject, parseJson } from '../../kernel/json.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import { dropFields } from '../openai-compatible/model-rules.ts';

/**
 * `{code, statusText, message, data}` (docs/rules/providers.md#fastgpt). Codes and messages differ
 * between versions, so `statusText` is matched loosely.
 */
function readFastGptFailure(failure: UpstreamFailure): ProviderError {
  const error = readFailure(failure);
  const status = textOf(recordOf(failure.body)?.statusText);
  const type = status ?? error.type;
  if (status?.startsWith('unAuth') === true)
    return { ...error, type, status: 401, accountFault: true };
  if (status !== undefined && /quota|balance/i.test(status))
    return { ...error, type, status: 402, accountFault: true };
  return { ...error, type };
}

/** The figures in `usage` are none: without them what was used is counted. */
function withoutUsage(body: JsonObject): JsonObject {
  const { usage: _, ...rest } = body;
  return rest;
}

function writeData(data: string): string {
  const body = data.includes('"usage"') ? parseJson(data) : undefined;
  const text = isObject(body) ? JSON.stringify(withoutUsage(body as JsonObject)) : data;
  return text.replaceAll('\n', '\ndata: ');
}

/**
 * `[DONE]` comes before the events about the workflow: it is removed there and ends the whole
 * stream.
 */
function push({ event, data }: StreamEvent): string {
  if (data === '[DONE]') return '';
  return `${event === '' ? '' : `event: ${event}\n`}data: ${writeData(data)}\n\n`;
}

/**
 * Replies to callers that request `detail`: FastGPT's own events, each with its name
 * (docs/rules/providers.md#fastgpt).
 */
const detailRewrite = {
  framing: 'sse',
  create: (): StreamRewriter => ({ push }),
  reply: withoutUsage,
} as const;

/**
 * The base ends in `/api`. The key is sent whole: of an account's key the application's id is part,
 * behind a hyphen.
 */
export const fastgpt = openaiCompatible({
  slug: 'fastgpt',
  channelTypes: [22],
  defaultBaseUrl: null,
  keyFormat: { example: 'fastgpt-…' },
  models: [],
  without: ['completion', 'embedding', 'models'],
  ownNames: {
    fields: ['chatId'],
    source: 'https://doc.fastgpt.io/en/openapi/best-practices/app-integration.md',
    read: '2026-11-30',
  },
  // An older key would serve any application of its account.
  edit: (field, model) => ({ model, edits: dropFields(field, ['appId']) }),
  streamOptions: false,
  developerRole: false,
  // Without `detail` callers get the reply only, whatever events come; its usage is not reported.
  // Files by URL (`file_url`) are forwarded only.
  mustTranslate: (fields) =>
    fields.get('detail') !== true && fields.contains?.('"file_url"') !== true,
  readUsage: () => undefined,
  rewrite: detailRewrite,
  readFailure: readFastGptFailure,
});

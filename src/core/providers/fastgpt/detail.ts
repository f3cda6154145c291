/**
 * Replies to callers that request `detail`: FastGPT's own events, each with its name
 * (docs/rules/providers.md#fastgpt).
 */

import type { StreamEvent, StreamRewriter } from '../../canonical/pass-through.ts';
import { isObject, type JsonObject, parseJson } from '../../kernel/json.ts';

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

export const detailRewrite = {
  framing: 'sse',
  create: (): StreamRewriter => ({ push }),
  reply: withoutUsage,
} as const;

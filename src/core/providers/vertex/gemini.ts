/**
 * Gemini on Vertex: the format of the Gemini API, a little stricter
 * (docs/rules/providers.md#vertex-gemini).
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import { mapChanged } from '../../canonical/kit/map-changed.ts';
import { compact, recordOf } from '../../canonical/kit/read-json.ts';
import type { PassThrough } from '../../canonical/pass-through.ts';
import type { Provider, UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { writeGeminiBody } from '../gemini/chat.ts';
import { readTotalTokens } from '../gemini/count.ts';
import { nativeEdits } from '../gemini/native.ts';
import { nativeTarget } from '../gemini/request.ts';
import { splitGeminiSuffix } from '../gemini/thinking.ts';
import { modelAddress, projectHeaders, type VertexCall, withRegion } from './address.ts';
import { makerOf } from './models.ts';
import type { VertexSettings } from './settings.ts';

/** Parts in which ids of calls and responses are refused, in both spellings. */
const calling = ['functionCall', 'function_call', 'functionResponse', 'function_response'];

/** The part without ids; the same object where there are none. */
function withoutIds(part: JsonValue): JsonValue {
  if (!isObject(part)) return part;
  const name = calling.find((one) => isObject(part[one]) && part[one].id !== undefined);
  if (name === undefined) return part as JsonObject;
  const { id: _, ...rest } = part[name] as Record<string, JsonValue>;
  return { ...(part as JsonObject), [name]: rest };
}

/** The content with a role and without ids; the same object where it is so already. */
function fitContent(content: JsonValue): JsonValue {
  if (!isObject(content)) return content;
  const given = content as JsonObject;
  const parts = mapChanged(given.parts, withoutIds);
  if (given.role !== undefined && parts === undefined) return content as JsonObject;
  return compact({ role: 'user', ...given, parts: parts ?? given.parts });
}

/** The model a native caller's path names. */
function modelInPath(path: string): string | undefined {
  const name = /\/models\/([^?]+):\w+/.exec(path)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}

export const geminiPassThrough: PassThrough<VertexSettings> = {
  format: 'gemini-generate',
  target(fields, call) {
    if (makerOf(call.model) !== 'google') return undefined;
    const suffixed = splitGeminiSuffix(call.model, call.options);
    const { action, query } = nativeTarget(call.clientPath);
    const contents = mapChanged(fields.get('contents'), fitContent);
    const place = withRegion(call, modelInPath(call.clientPath));
    return {
      url: modelAddress(place, 'google', suffixed.model, action, query.slice(1)),
      headers: { 'content-type': 'application/json', ...projectHeaders(call) },
      edits: nativeEdits(fields, suffixed, call),
      wireEdits: contents === undefined ? undefined : { contents },
      model: suffixed.model,
      modelInUrl: true,
    };
  },
};

/** Contents, instructions and tools stand in the body itself here, never in a request within it. */
export const countOnVertex: NonNullable<
  Provider<VertexSettings>['operations']['countGeminiTokens']
> = {
  encode(body, call) {
    if (makerOf(call.model) !== 'google')
      throw new AppError('unsupported_operation', { operation: 'countTokens' });
    const given = recordOf(body) ?? {};
    const { model: _, ...requested } = (recordOf(given.generateContentRequest) ??
      given) as JsonObject;
    const { model } = splitGeminiSuffix(call.model, call.options);
    return {
      method: 'POST',
      url: modelAddress(
        withRegion(call, modelInPath(call.clientPath)),
        'google',
        model,
        'countTokens',
      ),
      headers: { 'content-type': 'application/json', ...projectHeaders(call) },
      body: {
        ...requested,
        contents: mapChanged(requested.contents, fitContent) ?? requested.contents ?? [],
      },
    };
  },
  decode: readTotalTokens,
};

export function encodeGemini(request: ChatRequest, call: VertexCall): UpstreamRequest {
  const { model, body } = writeGeminiBody(request, call);
  const [action, query] = request.stream
    ? ['streamGenerateContent', 'alt=sse']
    : ['generateContent', ''];
  return {
    method: 'POST',
    url: modelAddress(withRegion(call, request.model), 'google', model, action, query),
    headers: { 'content-type': 'application/json', ...projectHeaders(call) },
    body,
  };
}

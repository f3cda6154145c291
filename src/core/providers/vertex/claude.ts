/**
 * Claude on Vertex: Anthropic's format, the model in the address
 * (docs/rules/providers.md#vertex-claude).
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import { stripForeignSignatures } from '../../canonical/kit/foreign-signature.ts';
import { textOf } from '../../canonical/kit/read-json.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { PassThrough } from '../../canonical/pass-through.ts';
import type { Provider, UpstreamRequest } from '../../canonical/provider.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { readTokenCount, writeClaudeBody } from '../anthropic/claude.ts';
import { editMessages } from '../anthropic/edit-messages.ts';
import { splitSuffix } from '../anthropic/model-rules.ts';
import { NativeMessageStream } from '../anthropic/native-stream.ts';
import { hasAddressSources } from '../anthropic/sources.ts';
import { betasOf } from '../anthropic-messages/request.ts';
import { modelAddress, projectHeaders, type VertexCall, withRegion } from './address.ts';
import { refuseApiKey } from './key.ts';
import { claudeId, makerOf } from './models.ts';
import type { VertexSettings } from './settings.ts';

const anthropic_version = 'vertex-2023-10-16';
const wireEdits = { model: undefined, anthropic_version };

function addressOf(call: VertexCall, requested: string | undefined, stream: boolean): string {
  const id = claudeId(splitSuffix(call.model, call.options).model);
  return modelAddress(
    withRegion(call, requested),
    'anthropic',
    id,
    stream ? 'streamRawPredict' : 'rawPredict',
  );
}

function headersOf(
  call: VertexCall,
  requested: string | undefined,
  stream: boolean,
): Record<string, string> {
  const { caller, added } = betasOf(call, requested);
  const betas = [...new Set([...caller, ...added])].join(',');
  return {
    ...jsonHeaders(stream),
    ...projectHeaders(call),
    ...(betas === '' ? {} : { 'anthropic-beta': betas }),
  };
}

/** A native caller's body; images by address need the translation. */
export const claudePassThrough: PassThrough<VertexSettings> = {
  format: 'anthropic-messages',
  target(fields, call) {
    if (makerOf(call.model) !== 'anthropic' || hasAddressSources(fields)) return undefined;
    refuseApiKey(call, call.model);
    const requested = textOf(fields.get('model'));
    const stream = fields.get('stream') === true;
    return {
      url: addressOf(call, requested, stream),
      headers: headersOf(call, requested, stream),
      edits: editMessages(fields, call).edits,
      wireEdits,
      modelInUrl: true,
    };
  },
  rewrite: { framing: 'sse', create: () => new NativeMessageStream() },
};

export function encodeClaude(request: ChatRequest, call: VertexCall): UpstreamRequest {
  refuseApiKey(call, call.model);
  const { model: _, ...body } = writeClaudeBody(request, call);
  return {
    method: 'POST',
    url: addressOf(call, request.model, request.stream),
    headers: headersOf(call, request.model, request.stream),
    body: { ...body, anthropic_version },
  };
}

/** Counting has an address of its own, with the model in the body. */
export const countClaudeTokens: Provider<VertexSettings>['operations']['countTokens'] = {
  encode(body, call) {
    refuseApiKey(call, call.model);
    const {
      max_tokens: _limit,
      stream: _stream,
      ...rest
    } = isObject(body) ? (body as Record<string, JsonValue>) : {};
    const requested = textOf(rest.model);
    const model = claudeId(splitSuffix(call.model, call.options).model).replace(
      /@(?:default|latest)$/,
      '',
    );
    return {
      method: 'POST',
      url: modelAddress(withRegion(call, requested), 'anthropic', 'count-tokens', 'rawPredict'),
      headers: headersOf(call, requested, false),
      body: {
        ...rest,
        messages: stripForeignSignatures(rest.messages) ?? [],
        model,
        anthropic_version,
      },
    };
  },
  decode: readTokenCount,
};

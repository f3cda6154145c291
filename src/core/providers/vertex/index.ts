/**
 * Type 41, Vertex AI: Gemini, Claude and models of other makers, each in its own format
 * (docs/rules/providers.md#vertex-addresses).
 */

import type { ChatRequest, HostedTool } from '../../canonical/chat.ts';
import type { ChatReply } from '../../canonical/chat-reply.ts';
import { continuesAnswers } from '../../canonical/models/gemini.ts';
import type { StreamDecoder } from '../../canonical/pass-through.ts';
import type { OperationAdapter, Provider, UpstreamRequest } from '../../canonical/provider.ts';
import { createClaudeDecoder, readClaudeReply } from '../anthropic/claude.ts';
import { takesTool as takesClaudeTool } from '../anthropic/encode-chat.ts';
import { createGeminiDecoder, readGeminiReply } from '../gemini/chat.ts';
import { takesTool as takesGeminiTool } from '../gemini/encode-chat.ts';
import { isGoogleAddress } from '../gemini/encode-contents.ts';
import { readGoogleFailure } from '../gemini/failure.ts';
import { checkImages } from '../gemini/limits.ts';
import { checkRegions, type VertexCall, withRegion } from './address.ts';
import { authorizeVertex } from './authorize.ts';
import { claudePassThrough, countClaudeTokens, encodeClaude } from './claude.ts';
import { vertexFields } from './fields.ts';
import { countOnVertex, encodeGemini, geminiPassThrough } from './gemini.ts';
import { accountOf, apiKeyOf, refuseApiKey } from './key.ts';
import { makerOf, vertexModels } from './models.ts';
import { openApiChat, openApiPassThrough } from './openapi.ts';
import { vertexEmbedding, vertexImage } from './predict.ts';
import { type VertexSettings, vertexSettings } from './settings.ts';
import { dropToken } from './token.ts';

function encode(request: ChatRequest, call: VertexCall): UpstreamRequest {
  const maker = makerOf(call.model);
  if (maker === 'anthropic') return encodeClaude(request, call);
  if (maker === 'google') return encodeGemini(request, call);
  refuseApiKey(call, call.model);
  return openApiChat.encode(request, withRegion(call, request.model));
}

function takesTool(tool: HostedTool, request: ChatRequest, call: VertexCall): boolean {
  const maker = makerOf(call.model);
  if (maker === 'anthropic') return takesClaudeTool(tool);
  if (maker === 'google') return takesGeminiTool(tool, request);
  return openApiChat.takesTool?.(tool, request, call) === true;
}

function decode(body: unknown, call: VertexCall, request: ChatRequest | undefined): ChatReply {
  const maker = makerOf(call.model);
  if (maker === 'anthropic') return readClaudeReply(body, call, request);
  return maker === 'google'
    ? readGeminiReply(body, call, request)
    : openApiChat.decode(body, call, request);
}

function createStreamDecoder(call: VertexCall, request: ChatRequest | undefined): StreamDecoder {
  const maker = makerOf(call.model);
  if (maker === 'anthropic') return createClaudeDecoder(call, request);
  const others = maker === 'google' ? undefined : openApiChat.createStreamDecoder?.(call, request);
  return others ?? createGeminiDecoder(call, request);
}

const chat: OperationAdapter<'chat', VertexSettings> = {
  passThrough: [claudePassThrough, geminiPassThrough, openApiPassThrough],
  needsInlineImages: true,
  readsAddress: isGoogleAddress,
  check: (request, call) => {
    if (makerOf(call.model) === 'google') checkImages(request, call);
  },
  takesTool,
  encode,
  decode,
  framing: 'sse',
  createStreamDecoder,
  streamOnly: continuesAnswers,
};

export const vertex: Provider<VertexSettings> = {
  slug: 'vertex',
  serves: ['anthropic', 'gemini'],
  sharedSignatures: ['anthropic-messages'],
  channelTypes: [41],
  defaultBaseUrl: '',
  measuresUsage: true,
  keyFormat: { example: 'service account JSON', json: true },
  settings: vertexSettings,
  other: { label: vertexFields.other.label.en, required: true, check: checkRegions },
  models: vertexModels,
  operations: {
    chat,
    embedding: vertexEmbedding,
    image: vertexImage,
    'image-edit': vertexImage,
    countTokens: countClaudeTokens,
    countGeminiTokens: countOnVertex,
  },
  authorize: authorizeVertex,
  renewAuthorization(error, call, effects) {
    // Google's error for a token that it refuses; without a token there is nothing to renew.
    if (error.code !== 'UNAUTHENTICATED' || apiKeyOf(call) !== undefined) return false;
    dropToken(accountOf(call), effects);
    return true;
  },
  readFailure: readGoogleFailure,
};

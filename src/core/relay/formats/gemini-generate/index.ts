/** Gemini's generateContent and streamGenerateContent. */
import { recordOf } from '../../../canonical/kit/read-json.ts';
import { isObject } from '../../../kernel/json.ts';
import { chatOverheads } from '../../../metering/countable-chat.ts';
import { readBody } from '../../body/body-fields.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { geminiFamily } from '../families/gemini.ts';
import { answerImageEdits } from '../shared/answer-images.ts';
import { eventStream } from '../shared/call-reply.ts';
import { inSequence } from '../shared/call-sequence.ts';
import {
  type ConversationFormat,
  type TokenCountCall,
  topLevelLimits,
} from '../shared/caller-format.ts';
import { requireField } from '../shared/check-conversation.ts';
import { systemPromptEdits, withoutSignatures } from './edits.ts';
import { geminiForward } from './forward.ts';
import { writeGeminiUsage, writeReply } from './reply.ts';
import { readGenerateRequest } from './request.ts';
import { arrayFrame, GenerateStreamEncoder, sseFrame } from './stream.ts';

/**
 * Both spellings: which one an upstream reads where a caller sends both is not known, so both
 * count.
 */
function membersOf(
  body: RequestBody,
  names: readonly string[],
): Record<string, unknown> | undefined {
  const configs = ['generationConfig', 'generation_config']
    .map((name) => body.get(name))
    .filter((config) => isObject(config));
  if (configs.length === 0) return undefined;
  const found = configs.flatMap((config, at) =>
    names.map((name) => [`${name}${at === 0 ? '' : ' '}`, config[name]] as const),
  );
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== null));
}

/**
 * Members of `generationConfig`, in either spelling. A body without it is read as those of other
 * formats are.
 */
const limits: typeof topLevelLimits = {
  outputLimits: (body) =>
    membersOf(body, ['maxOutputTokens', 'max_output_tokens']) ?? topLevelLimits.outputLimits(body),
  answerCounts: (body) =>
    membersOf(body, ['candidateCount', 'candidate_count']) ?? topLevelLimits.answerCounts(body),
};

const tokenCount: TokenCountCall = {
  routes: { pattern: /^\/v1(?:beta)?\/models\/(.+):countTokens$/ },
  operation: 'countGeminiTokens',
  /** Callers may send the request they are going to make, whole, in a field. */
  requestIn(body) {
    const inner = body.get('generateContentRequest');
    return (isObject(inner) ? readBody(Buffer.from(JSON.stringify(inner))) : null) ?? body;
  },
  writeReply: (tokens) => ({ totalTokens: tokens }),
};

/** Streams as SSE, for callers that write `alt=sse`. */
export const geminiGenerate: ConversationFormat = {
  kind: 'conversation',
  name: 'gemini-generate',
  family: geminiFamily,
  operation: 'chat',
  routes: { pattern: /^\/v1(?:beta)?\/models\/(.+):(?:generateContent|streamGenerateContent)$/ },
  invalidRequest: 'invalid_request',
  check: requireField({
    field: 'contents',
    kinds: ['array', 'object', 'string'],
    code: 'invalid_request',
  }),
  streams: (_body, path) => path.endsWith(':streamGenerateContent'),
  ...limits,
  promptFields: ['contents', 'systemInstruction', 'system_instruction'],
  overheads: chatOverheads,
  readRequest: readGenerateRequest,
  writeReply,
  streamContentType: eventStream,
  createStreamEncoder: (context) =>
    inSequence(new GenerateStreamEncoder(context, sseFrame), context),
  forward: geminiForward,
  systemPromptEdits,
  imageEdits: answerImageEdits('contents', 'parts', 'model'),
  signatures: { refusal: /signature/i, without: withoutSignatures, areAccounts: true },
  /** The reply is the only chunk of its stream, which in this format always reports usage. */
  wholeAsStream(reply) {
    const whole = recordOf(reply);
    return (usage) => {
      const usageMetadata = whole?.['usageMetadata'] ?? (usage && writeGeminiUsage(usage));
      return {
        contentType: eventStream,
        body: `data: ${JSON.stringify({ ...whole, usageMetadata })}\n\n`,
      };
    };
  },
  streamVariant: (url) => (/[?&]alt=sse\b/.test(url) ? geminiGenerate : geminiGenerateArray),
  tokenCount,
};

/**
 * Streams as one JSON array, for callers that do not. Such a stream is always written here, never
 * passed through.
 */
export const geminiGenerateArray: ConversationFormat = {
  ...geminiGenerate,
  streamContentType: 'application/json',
  createStreamEncoder: (context) =>
    inSequence(new GenerateStreamEncoder(context, arrayFrame), context),
  forward: undefined,
};

/** Gemini's generateContent and streamGenerateContent. */
import { recordOf } from '../../../canonical/kit/read-json.ts';
import { isObject } from '../../../kernel/json.ts';
import { chatOverheads } from '../../../metering/countable-chat.ts';
import { readBody } from '../../body/body-fields.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { geminiFamily } from '../families/gemini.ts';
import { eventStream } from '../shared/call-reply.ts';
import { type ConversationFormat, type TokenCountCall, topLevelLimits } from '../shared/caller-format.ts';
import { requireField } from '../shared/check-conversation.ts';
import { systemPromptEdits, withoutSignatures } from './edits.ts';
import { geminiForward } from './forward.ts';
import { writeGeminiUsage, writeReply } from './reply.ts';
import { readGenerateRequest } from './request.ts';
import { arrayFrame, GenerateStreamEncoder, sseFrame } from './stream.ts';

function configOf(body: RequestBody): Readonly<Record<string, unknown>> | undefined {
  const config = body.get('generationConfig') ?? body.get('generation_config');
  return isObject(config) ? config : undefined;
}

/** Members of `generationConfig`, in either spelling. A body without it is read as those of other formats are. */
const limits: typeof topLevelLimits = {
  outputLimits(body) {
    const config = configOf(body);
    if (config === undefined) return topLevelLimits.outputLimits(body);
    return { maxOutputTokens: config['maxOutputTokens'] ?? config['max_output_tokens'] };
  },
  answerCount(body) {
    const config = configOf(body);
    if (config === undefined) return topLevelLimits.answerCount(body);
    return config['candidateCount'] ?? config['candidate_count'];
  },
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
  check: requireField({ field: 'contents', kinds: ['array', 'object', 'string'], code: 'invalid_request' }),
  streams: (_body, path) => path.endsWith(':streamGenerateContent'),
  ...limits,
  promptFields: ['contents', 'systemInstruction', 'system_instruction'],
  overheads: chatOverheads,
  readRequest: readGenerateRequest,
  writeReply,
  streamContentType: eventStream,
  createStreamEncoder: (context) => new GenerateStreamEncoder(context, sseFrame),
  forward: geminiForward,
  systemPromptEdits,
  signatures: { refusal: /signature/i, without: withoutSignatures },
  /** The reply is the only chunk of its stream, which in this format always reports usage. */
  wholeAsStream(reply) {
    const whole = recordOf(reply);
    return (usage) => {
      const usageMetadata = whole?.['usageMetadata'] ?? (usage && writeGeminiUsage(usage));
      return { contentType: eventStream, body: `data: ${JSON.stringify({ ...whole, usageMetadata })}\n\n` };
    };
  },
  streamVariant: (url) => (/[?&]alt=sse\b/.test(url) ? geminiGenerate : geminiGenerateArray),
  tokenCount,
};

/** Streams as one JSON array, for callers that do not. Such a stream is always written here, never passed through. */
export const geminiGenerateArray: ConversationFormat = {
  ...geminiGenerate,
  streamContentType: 'application/json',
  createStreamEncoder: (context) => new GenerateStreamEncoder(context, arrayFrame),
  forward: undefined,
};

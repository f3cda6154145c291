/** OpenAI Responses, and its compaction of conversations. */
import { chatOverheads } from '../../../metering/countable-chat.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { openAiFamily } from '../families/openai.ts';
import { answerImageEdits } from '../shared/answer-images.ts';
import { eventStream } from '../shared/call-reply.ts';
import { inSequence } from '../shared/call-sequence.ts';
import { type ConversationFormat, topLevelLimits } from '../shared/caller-format.ts';
import { requireField } from '../shared/check-conversation.ts';
import { promptField } from '../shared/system-prompt.ts';
import { readCompactRequest, writeCompaction } from './compaction.ts';
import { responsesForward } from './forward.ts';
import { writeReply } from './reply.ts';
import { readResponsesRequest } from './request.ts';
import { withoutEncryptedReasoning } from './signatures.ts';
import { responsesState } from './state.ts';
import { ResponseStreamEncoder } from './stream.ts';
import { withoutOldest } from './truncate.ts';

const checkInput = requireField({
  field: 'input',
  kinds: ['string', 'array'],
  code: 'invalid_request',
});

function continues(body: RequestBody): boolean {
  return ['previous_response_id', 'conversation'].some(
    (name) => !['null', undefined].includes(body.kind(name)),
  );
}

const common = {
  family: openAiFamily,
  operation: 'chat',
  invalidRequest: 'invalid_request',
  check: (body) => {
    // What is continued may be the whole input.
    if (body.has('input') || !continues(body)) checkInput(body);
  },
  streams: (body) => body.get('stream') === true,
  ...topLevelLimits,
  promptFields: ['input', 'instructions'],
  forward: responsesForward,
  systemPromptEdits: promptField('instructions'),
  imageEdits: answerImageEdits('input', 'content'),
  state: responsesState,
  withoutOldest,
  signatures: {
    refusal: /encrypted[ _]content/i,
    without: withoutEncryptedReasoning,
    areAccounts: true,
  },
} as const satisfies Partial<ConversationFormat>;

export const openAiResponses: ConversationFormat = {
  ...common,
  kind: 'conversation',
  name: 'openai-responses',
  routes: { paths: ['/v1/responses'] },
  tokenCount: {
    routes: { paths: ['/v1/responses/input_tokens'] },
    writeReply: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
  isBackground: (body) => body.kind('background') === 'boolean' && body.get('background') === true,
  overheads: chatOverheads,
  readRequest: readResponsesRequest,
  writeReply,
  streamContentType: eventStream,
  createStreamEncoder: (context) => inSequence(new ResponseStreamEncoder(context), context),
};

export const openAiResponsesCompact: ConversationFormat = {
  ...common,
  kind: 'conversation',
  name: 'openai-responses-compact',
  streams: () => false,
  overheads: chatOverheads,
  readRequest: readCompactRequest,
  writeReply: writeCompaction,
  streamContentType: eventStream,
  createStreamEncoder: openAiResponses.createStreamEncoder,
  // It continues responses, but makes none that can be continued.
  state: { ...responsesState, keeps: () => false },
  routes: { paths: ['/v1/responses/compact'] },
};

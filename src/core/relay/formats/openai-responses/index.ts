/** OpenAI Responses, and its compaction of conversations. */
import { chatOverheads } from '../../../metering/countable-chat.ts';
import { openAiFamily } from '../families/openai.ts';
import { eventStream } from '../shared/call-reply.ts';
import { inSequence } from '../shared/call-sequence.ts';
import {
  type ConversationFormat,
  type PassThroughFormat,
  topLevelLimits,
} from '../shared/caller-format.ts';
import { requireField } from '../shared/check-conversation.ts';
import { promptField } from '../shared/system-prompt.ts';
import { responsesForward } from './forward.ts';
import { writeReply } from './reply.ts';
import { readResponsesRequest } from './request.ts';
import { withoutEncryptedReasoning } from './signatures.ts';
import { responsesState } from './state.ts';
import { ResponseStreamEncoder } from './stream.ts';

const common = {
  family: openAiFamily,
  operation: 'chat',
  invalidRequest: 'invalid_request',
  check: requireField({ field: 'input', kinds: ['string', 'array'], code: 'invalid_request' }),
  streams: (body) => body.get('stream') === true,
  ...topLevelLimits,
  promptFields: ['input', 'instructions'],
  forward: responsesForward,
  systemPromptEdits: promptField('instructions'),
  state: responsesState,
  signatures: { refusal: /encrypted[ _]content/i, without: withoutEncryptedReasoning },
} as const satisfies Partial<PassThroughFormat>;

export const openAiResponses: ConversationFormat = {
  ...common,
  kind: 'conversation',
  name: 'openai-responses',
  routes: { paths: ['/v1/responses'] },
  isBackground: (body) => body.kind('background') === 'boolean' && body.get('background') === true,
  overheads: chatOverheads,
  readRequest: readResponsesRequest,
  writeReply,
  streamContentType: eventStream,
  createStreamEncoder: (context) => inSequence(new ResponseStreamEncoder(context), context),
};

export const openAiResponsesCompact: PassThroughFormat = {
  ...common,
  kind: 'pass-through',
  name: 'openai-responses-compact',
  // It continues responses, but makes none that can be continued.
  state: { ...responsesState, keeps: () => false },
  routes: { paths: ['/v1/responses/compact'] },
};

/** Chat in version 2 of Cohere's format. */
import { chatOverheads } from '../../../metering/countable-chat.ts';
import { cohereFamily } from '../families/cohere.ts';
import { answerImageEdits } from '../shared/answer-images.ts';
import { eventStream } from '../shared/call-reply.ts';
import { inSequence } from '../shared/call-sequence.ts';
import { type ConversationFormat, topLevelLimits } from '../shared/caller-format.ts';
import { requireField } from '../shared/check-conversation.ts';
import { systemMessageEdits } from '../shared/system-prompt.ts';
import { cohereForward } from './forward.ts';
import { writeReply } from './reply.ts';
import { readCohereRequest } from './request.ts';
import { CohereStreamEncoder } from './stream.ts';

export const cohereChat: ConversationFormat = {
  kind: 'conversation',
  name: 'cohere-chat',
  family: cohereFamily,
  operation: 'chat',
  routes: { paths: ['/v2/chat'] },
  invalidRequest: 'invalid_text_request',
  check: requireField({ field: 'messages', kinds: ['array'], code: 'invalid_text_request' }),
  streams: (body) => body.get('stream') === true,
  ...topLevelLimits,
  promptFields: ['messages', 'documents'],
  overheads: chatOverheads,
  readRequest: readCohereRequest,
  writeReply,
  streamContentType: eventStream,
  createStreamEncoder: (context) => inSequence(new CohereStreamEncoder(context), context),
  forward: cohereForward,
  systemPromptEdits: systemMessageEdits,
  imageEdits: answerImageEdits('messages', 'content'),
};

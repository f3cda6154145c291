/** Anthropic messages. */
import type { MessageOverheads } from '../../../metering/countable-chat.ts';
import { anthropicFamily } from '../families/anthropic.ts';
import { answerImageEdits } from '../shared/answer-images.ts';
import { eventStream } from '../shared/call-reply.ts';
import { inSequence } from '../shared/call-sequence.ts';
import { type ConversationFormat, topLevelLimits } from '../shared/caller-format.ts';
import { requireField } from '../shared/check-conversation.ts';
import { promptField } from '../shared/system-prompt.ts';
import { anthropicForward } from './forward.ts';
import { writeReply } from './reply.ts';
import { readMessagesRequest } from './request.ts';
import { withoutThinking, withThinking } from './signatures.ts';
import { MessageStreamEncoder } from './stream.ts';

/** The system prompt is written apart from the messages. */
const overheads: MessageOverheads = {
  message: 3,
  systemMessage: 0,
  tool: 3,
  priming: 0,
  image: 1000,
};

export const anthropicMessages: ConversationFormat = {
  kind: 'conversation',
  name: 'anthropic-messages',
  family: anthropicFamily,
  operation: 'chat',
  routes: { paths: ['/v1/messages'] },
  invalidRequest: 'invalid_claude_request',
  check: requireField({ field: 'messages', kinds: ['array'], code: 'invalid_claude_request' }),
  streams: (body) => body.get('stream') === true,
  ...topLevelLimits,
  promptFields: ['messages', 'system'],
  overheads,
  readRequest: readMessagesRequest,
  writeReply,
  streamContentType: eventStream,
  createStreamEncoder: (context) => inSequence(new MessageStreamEncoder(context), context),
  forward: anthropicForward,
  systemPromptEdits: promptField('system'),
  signatures: {
    refusal: /signature|thinking`? block|reasoning content/i,
    without: withoutThinking,
  },
  thinkingEdits: withThinking,
  imageEdits: answerImageEdits('messages', 'content'),
  tokenCount: {
    routes: { paths: ['/v1/messages/count_tokens'] },
    operation: 'countTokens',
    writeReply: (tokens) => ({ input_tokens: tokens }),
  },
  logsPromptWithoutCache: true,
};

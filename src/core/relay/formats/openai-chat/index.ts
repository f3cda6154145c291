/** OpenAI chat completions. */
import { chatOverheads } from '../../../metering/countable-chat.ts';
import { openAiFamily } from '../families/openai.ts';
import { eventStream } from '../shared/call-reply.ts';
import { type ConversationFormat, topLevelLimits } from '../shared/caller-format.ts';
import { requireField } from '../shared/check-conversation.ts';
import { openAiForward } from '../shared/openai-forward.ts';
import { systemMessageEdits } from '../shared/system-prompt.ts';
import { withImageNotes, withoutSignatures, withThinking } from './edits.ts';
import { writeReply } from './reply.ts';
import { readChatRequest } from './request.ts';
import { ChatStreamEncoder } from './stream.ts';

export const openAiChat: ConversationFormat = {
  kind: 'conversation',
  name: 'openai-chat',
  family: openAiFamily,
  operation: 'chat',
  routes: { paths: ['/v1/chat/completions'] },
  invalidRequest: 'invalid_text_request',
  check: requireField({ field: 'messages', kinds: ['array'], code: 'invalid_text_request' }),
  streams: (body) => body.get('stream') === true,
  ...topLevelLimits,
  promptFields: ['messages'],
  overheads: chatOverheads,
  readRequest: readChatRequest,
  writeReply,
  streamContentType: eventStream,
  createStreamEncoder: (context) => new ChatStreamEncoder(context),
  forward: openAiForward,
  systemPromptEdits: systemMessageEdits,
  readsThinkingInText: true,
  signatures: { refusal: /signature/i, without: withoutSignatures },
  thinkingEdits: withThinking,
  imageEdits: withImageNotes,
};

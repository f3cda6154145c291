/** Text completions. For upstreams that only chat the prompt becomes one user message. */
import type { AssistantPart } from '../../../canonical/chat.ts';
import type { ChatReply } from '../../../canonical/chat-reply.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { Countable } from '../../../metering/countable.ts';
import { chatOverheads } from '../../../metering/countable-chat.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { openAiFamily } from '../families/openai.ts';
import { eventStream } from '../shared/call-reply.ts';
import { type ConversationFormat, topLevelLimits } from '../shared/caller-format.ts';
import type { ReplyContext } from '../shared/chat-translation.ts';
import { requireField } from '../shared/check-conversation.ts';
import { countableField } from '../shared/countable-field.ts';
import { openAiForward } from '../shared/openai-forward.ts';
import { writeOpenAiUsage } from '../shared/openai-usage.ts';
import { openAiFinish, prefixedId } from '../shared/reply-fields.ts';
import { readCompletionRequest } from './request.ts';
import { CompletionStreamEncoder } from './stream.ts';

function textOfParts(parts: readonly AssistantPart[]): string {
  return parts
    .map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : ''))
    .join('');
}

function writeReply(reply: ChatReply, context: ReplyContext): JsonObject {
  return compact({
    id: prefixedId('cmpl-', reply.id, context),
    object: 'text_completion',
    created: context.created,
    model: context.model,
    choices: reply.choices.map((choice) => ({
      text: textOfParts(choice.content),
      index: choice.index,
      logprobs: null,
      finish_reason: openAiFinish[choice.finish],
    })),
    usage: reply.usage === undefined ? undefined : writeOpenAiUsage(reply.usage),
  });
}

/** A text that is to be filled in has an end, too. */
function countablePrompt(body: RequestBody): Countable | undefined {
  const prompt = countableField('prompt')(body);
  const suffix = body.get('suffix');
  return prompt !== undefined && typeof suffix === 'string'
    ? { ...prompt, texts: [...prompt.texts, suffix] }
    : prompt;
}

/** A list of texts, or of lists of tokens, is as many prompts; a list of tokens is one. */
function countPrompts(body: RequestBody): number {
  const prompt = body.kind('prompt') === 'array' ? body.get('prompt') : undefined;
  return Array.isArray(prompt) && typeof prompt[0] !== 'number' ? Math.max(1, prompt.length) : 1;
}

export const openAiCompletions: ConversationFormat = {
  kind: 'conversation',
  name: 'openai-completions',
  family: openAiFamily,
  operation: 'completion',
  routes: { paths: ['/v1/completions'] },
  invalidRequest: 'invalid_text_request',
  check: requireField({
    field: 'prompt',
    kinds: ['string', 'array'],
    code: 'invalid_text_request',
  }),
  streams: (body) => body.get('stream') === true,
  ...topLevelLimits,
  promptCount: countPrompts,
  promptFields: ['prompt', 'suffix'],
  countableInput: countablePrompt,
  overheads: chatOverheads,
  readRequest: readCompletionRequest,
  writeReply,
  streamContentType: eventStream,
  createStreamEncoder: (context) => new CompletionStreamEncoder(context),
  forward: {
    ...openAiForward,
    choicesOrdered: (body) => countPrompts(body) * (openAiForward.choicesOrdered?.(body) ?? 1),
  },
  /**
   * The reply is the only chunk of its stream; usage follows in one of its own where it was asked
   * for.
   */
  wholeAsStream(reply, includeUsage) {
    const event = Buffer.from(`data: ${JSON.stringify(reply)}\n\n`);
    return (usage) => ({
      contentType: eventStream,
      body: openAiForward.end(event, { includeUsage, usage, first: event, sent: () => event }),
    });
  },
};

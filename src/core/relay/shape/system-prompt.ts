/**
 * `setting.system_prompt` in a canonical conversation: put first where the caller sent none, with
 * `system_prompt_override` always. Bodies that are passed through get it from their format.
 */

import type { ChatMessage, ChatRequest, SystemMessage } from '../../canonical/chat.ts';
import type { ChannelRules } from '../../upstream/rules/index.ts';

type PromptRules = Pick<ChannelRules, 'systemPrompt' | 'systemPromptOverride'>;

export function withSystemPrompt(
  request: ChatRequest,
  { systemPrompt, systemPromptOverride }: PromptRules,
): ChatRequest {
  if (systemPrompt === '') return request;
  const own = request.messages.findIndex((message) => message.role === 'system');
  if (own === -1)
    return { ...request, messages: [systemMessage(systemPrompt), ...request.messages] };
  if (!systemPromptOverride) return request;
  return {
    ...request,
    messages: request.messages.with(
      own,
      prefixed(request.messages[own] as SystemMessage, systemPrompt),
    ),
  };
}

function systemMessage(text: string): ChatMessage {
  return { role: 'system', content: [{ type: 'text', text }] };
}

function prefixed(message: SystemMessage, prompt: string): SystemMessage {
  const [first, ...others] = message.content;
  if (first === undefined) return { ...message, content: [{ type: 'text', text: prompt }] };
  return { ...message, content: [{ ...first, text: `${prompt}\n${first.text}` }, ...others] };
}

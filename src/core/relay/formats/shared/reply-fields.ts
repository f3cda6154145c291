/** What replies in several formats are put together from. */
import type { FinishReason } from '../../../canonical/chat-reply.ts';
import type { ReplyContext } from './chat-translation.ts';

/** The finish reasons of chat and text completions. */
export const openAiFinish: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

/** The upstream's id where it already is one of this format's. */
export function prefixedId(
  prefix: string,
  given: string | undefined,
  context: ReplyContext,
): string {
  return given?.startsWith(prefix) === true ? given : prefix + context.id;
}

/** A model that called tools and says `stop` means the calls. */
export function effectiveFinish(reason: FinishReason, called: boolean): FinishReason {
  return called && reason === 'stop' ? 'tool-calls' : reason;
}

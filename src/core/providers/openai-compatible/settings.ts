import { z } from 'zod';

/** Fields of a channel's `setting` that OpenAI-like channels know (docs/rules/channel-rules.md#thinking-to-content). */
export const openAiSettings = z.object({
  /** Thinking is answered as text between `<think>` marks. The relay does it, so replies cannot travel as they are. */
  thinking_to_content: z.boolean().optional(),
  /** Replies are rebuilt from the known fields instead of being forwarded. */
  force_format: z.boolean().optional(),
  /**
   * True: chats go to `/v1/responses`, translated, whatever the model. False: the server has no `/v1/responses`; its
   * callers are translated to chat. Absent: Responses callers are passed through, chats translated for the models that
   * know nothing else. Only for vendors that offer Responses.
   */
  use_responses: z.boolean().optional(),
});
export type OpenAiSettings = z.infer<typeof openAiSettings>;

/** Answers to chat callers of such a channel have to be read and written anew, so the caller's bytes cannot just travel. */
export function needsTranslation(settings: OpenAiSettings | undefined): boolean {
  return settings?.thinking_to_content === true || settings?.force_format === true;
}

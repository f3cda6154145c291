import { z } from '../../kernel/zod.ts';

/**
 * Fields of a channel's `setting` that OpenAI-like channels know
 * (docs/rules/channel-rules.md#thinking-to-content).
 */
export const openAiSettings = z.object({
  /**
   * Thinking is written as text between `<think>` marks. The relay does it, so replies cannot be
   * forwarded unchanged.
   */
  thinking_to_content: z.boolean().optional(),
  /** Replies are rebuilt from the known fields instead of being forwarded. */
  force_format: z.boolean().optional(),
  /**
   * True: chats are sent to `/v1/responses`, translated, whatever the model. False: the server has
   * no `/v1/responses`; Responses callers are translated to chat. Absent: Responses callers are
   * passed through, and chats are translated for models that only know Responses. Only for vendors
   * that offer Responses.
   */
  use_responses: z.boolean().optional(),
});
export type OpenAiSettings = z.infer<typeof openAiSettings>;

/**
 * Whether replies to chat callers of such a channel have to be translated, so that bodies cannot
 * just be forwarded.
 */
export function needsTranslation(settings: OpenAiSettings | undefined): boolean {
  return settings?.thinking_to_content === true || settings?.force_format === true;
}

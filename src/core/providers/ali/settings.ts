import { z } from '../../kernel/zod.ts';
import { openAiSettings } from '../openai-compatible/settings.ts';

export const aliSettings = openAiSettings.extend({
  /** Chats and embeddings use DashScope's own interface instead of the one that copies OpenAI's. */
  use_native: z.boolean().optional(),
  /**
   * Pieces of the names of models that draw without a task, with commas between; absent: those
   * known to.
   */
  sync_image_models: z.string().optional(),
});
export type AliSettings = z.infer<typeof aliSettings>;

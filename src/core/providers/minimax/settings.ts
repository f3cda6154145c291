import { z } from '../../kernel/zod.ts';
import { openAiSettings } from '../openai-compatible/settings.ts';

export const minimaxSettings = openAiSettings.extend({
  /** The account's group, for embeddings with keys that do not name it. */
  group_id: z.string().optional(),
});
export type MiniMaxSettings = z.infer<typeof minimaxSettings>;

import { z } from '../../kernel/zod.ts';
import { openAiSettings } from '../openai-compatible/settings.ts';

export const vertexSettings = openAiSettings.extend({
  /** `api_key`: the channel's key is an API key instead of a service account's document. */
  vertex_key_type: z.enum(['json', 'api_key']).optional(),
});
export type VertexSettings = z.infer<typeof vertexSettings>;

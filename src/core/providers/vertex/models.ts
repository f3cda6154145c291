/** Names of models on Vertex (docs/rules/providers.md#vertex-addresses). */
import { claudeModels } from '../anthropic/models.ts';

/** Which of Vertex's interfaces serves a model. */
export type Maker = 'anthropic' | 'openapi' | 'google';

export function makerOf(model: string): Maker {
  if (model.startsWith('claude')) return 'anthropic';
  return model.includes('llama') || model.includes('-maas') ? 'openapi' : 'google';
}

/** The id of a Claude model: its date stands behind an at sign. */
export function claudeId(model: string): string {
  if (model === 'claude-3-5-sonnet-20241022') return 'claude-3-5-sonnet-v2@20241022';
  return model.replace(/-(\d{8})$/, '@$1');
}

/** Offered in the channel editor besides the catalogue's models. */
export const vertexModels: readonly string[] = [...claudeModels, 'meta/llama3-405b-instruct-maas'];

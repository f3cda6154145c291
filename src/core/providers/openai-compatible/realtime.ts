/**
 * Which of OpenAI's two realtime interfaces is requested (docs/rules/providers.md#openai-realtime).
 */
import type { Call } from '../../canonical/provider.ts';

/** Models that came with the later interface, where the header of the earlier one is an error. */
const newerRealtimeModels = /(^|\/)gpt-realtime/;

/**
 * The header of the interface before 2025-08, for clients that request it and for the models that
 * came with it.
 */
export function realtimeInterface({
  model,
  clientHeaders,
}: Pick<Call, 'model' | 'clientHeaders'>): Record<string, string> {
  const requested =
    clientHeaders['openai-beta'] ?? (newerRealtimeModels.test(model) ? undefined : 'realtime=v1');
  return requested === undefined ? {} : { 'openai-beta': requested };
}

/** Which of its two realtime interfaces OpenAI is to speak (docs/rules/providers.md#openai-realtime). */
import type { Call } from '../../canonical/provider.ts';

/** Models that came with the later interface, where the header of the earlier one is an error. */
const newerRealtimeModels = /(^|\/)gpt-realtime/;

/** The header of the interface of before 2025-08: for clients that ask for it, and for the models that came with it. */
export function realtimeInterface({ model, clientHeaders }: Pick<Call, 'model' | 'clientHeaders'>): Record<string, string> {
  const requested = clientHeaders['openai-beta'] ?? (newerRealtimeModels.test(model) ? undefined : 'realtime=v1');
  return requested === undefined ? {} : { 'openai-beta': requested };
}

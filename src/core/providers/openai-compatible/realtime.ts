/**
 * Which of OpenAI's two realtime interfaces is requested (docs/rules/providers.md#openai-realtime).
 */

import type { Call } from '../../canonical/provider.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';

/** Models that came with the later interface, where the header of the earlier one is an error. */
function isNewer(model: string): boolean {
  const { vendor, kind, takes } = factsOf(bareModelName(model));
  return vendor === 'openai' && kind === 'realtime' && takes?.realtime_beta !== true;
}

/**
 * The header of the interface before 2025-08, for clients that request it and for the models that
 * came with it.
 */
export function realtimeInterface({
  model,
  clientHeaders,
}: Pick<Call, 'model' | 'clientHeaders'>): Record<string, string> {
  const requested = clientHeaders['openai-beta'] ?? (isNewer(model) ? undefined : 'realtime=v1');
  return requested === undefined ? {} : { 'openai-beta': requested };
}

import type { Usage } from '../../../canonical/usage.ts';

/** Usage as the audio calls report it; undefined where none is known. */
export function writeAudioUsage(usage: Usage | undefined) {
  if (usage?.promptTokens === undefined && usage?.completionTokens === undefined) return undefined;
  const { promptTokens: input = 0, completionTokens: output = 0 } = usage;
  return {
    type: 'tokens',
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
  };
}

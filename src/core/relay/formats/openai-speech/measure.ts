import { characters } from '../../../canonical/kit/text-places.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { type CallMeasure, heldPromptTokens, mostPromptTokens } from '../shared/measure.ts';

/**
 * Tokens that one byte of text becomes as speech, an upper bound: about 14 bytes a second, 1,000
 * tokens a minute.
 */
const spokenTokensPerByte = 1.25;

/**
 * `tts…` models are charged by characters whatever the upstream reports, other models by tokens.
 */
export function measureSpeech(body: RequestBody, model: string): CallMeasure {
  const input = String(body.get('input'));
  if (!model.startsWith('tts')) {
    const bytes = Buffer.byteLength(input);
    return {
      promptTokens: heldPromptTokens(body, model),
      mostPromptTokens: mostPromptTokens(body),
      outputTokens: Math.ceil(bytes * spokenTokensPerByte),
      speaks: true,
    };
  }
  const length = characters(input);
  return {
    promptTokens: length,
    mostMediaTokens: 0,
    outputTokens: 0,
    usageOf: () => ({ promptTokens: length, completionTokens: 0 }),
  };
}

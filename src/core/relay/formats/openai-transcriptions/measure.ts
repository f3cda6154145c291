import { tokensOfSeconds } from '../../../pricing/audio-tokens.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { audioSeconds } from '../../files/audio-length.ts';
import type { CallMeasure } from '../shared/measure.ts';
import { audioFile, textField } from './fields.ts';

/** Tokens of what is said in a second, an upper bound: fast speech is three words a second. */
const writtenTokensPerSecond = 6;

/** Charged by the upstream's tokens, else by its seconds, else by the length measured here. */
export async function measureAudio(body: RequestBody): Promise<CallMeasure> {
  const seconds = await audioSeconds(audioFile(body));
  const promptTokens = tokensOfSeconds(seconds);
  return {
    promptTokens,
    mostPromptTokens: Buffer.byteLength(textField(body, 'prompt') ?? ''),
    // Replies say how much of the prompt is audio, which may have a ratio of its own.
    mostMediaTokens: promptTokens,
    outputTokens: Math.ceil(seconds * writtenTokensPerSecond),
    usageOf: (reported) => {
      if ((reported?.promptTokens ?? 0) > 0) return reported;
      // Some upstreams round a short audio down to 0 seconds.
      const charged = reported?.audioSeconds || seconds;
      return { promptTokens: tokensOfSeconds(charged), completionTokens: 0, audioSeconds: charged };
    },
  };
}

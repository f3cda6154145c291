/** What a call is held and charged by where the text of its body does not tell. */

import type { Usage } from '../../../canonical/chat.ts';
import { characters } from '../../../canonical/kit/text-places.ts';
import { tokensOfSeconds } from '../../../pricing/audio-tokens.ts';
import { estimateTokensFromBytes } from '../../../pricing/estimate-tokens.ts';
import { expectedImageTokens, type ImageOrder, imageOrder } from '../../../pricing/images.ts';
import type { WireFormat } from '../../../vocabulary/wire-formats.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { audioSeconds } from '../../files/audio-length.ts';
import { imageCount, textField } from '../openai-images/fields.ts';
import { audioFile } from '../openai-transcriptions/index.ts';

export interface CallMeasure {
  /** Tokens held. */
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly images?: ImageOrder;
  /** What was used, given what the upstream told of it; undefined: the texts are counted. Absent: as of a conversation. */
  readonly usageOf?: (told: Usage | undefined) => Usage | undefined;
  /** What is held, where a price by text would not do: kinds of tokens cost differently. */
  readonly expected?: Usage;
  /** An answer of a realtime connection. */
  readonly realtime?: boolean;
  /** The speech that is made counts by its length where the upstream told no tokens. */
  readonly speaks?: boolean;
  /** A model without a price costs nothing (moderations: they are free everywhere, and nobody thinks of pricing them). */
  readonly freeUnpriced?: boolean;
}

/** Prompt tokens an image or another piece of data is held at. */
const blobTokens = 1600;

/** Prompt tokens of a body by its size, for the hold. */
export function heldPromptTokens(body: RequestBody): number {
  return estimateTokensFromBytes(body.bytes.length - body.blobBytes) + body.blobs * blobTokens;
}

/** Calls that generate nothing: embeddings, reranking. */
function measureInput(body: RequestBody): CallMeasure {
  return {
    promptTokens: heldPromptTokens(body),
    outputTokens: 0,
    usageOf: (told) => ((told?.promptTokens ?? 0) > 0 ? { ...told, completionTokens: told?.completionTokens ?? 0 } : undefined),
  };
}

function measureImages(body: RequestBody, model: string): CallMeasure {
  const size = textField(body, 'size') || undefined;
  const quality = textField(body, 'quality') || undefined;
  // In a form it is a text.
  const extended = String(body.get('prompt_extend')) === 'true';
  const images = imageOrder(model, { count: imageCount(body), size, quality, extended });
  return { promptTokens: heldPromptTokens(body), outputTokens: expectedImageTokens(model, images) ?? 0, images };
}

/** Tokens that one byte of text becomes as speech, generously: some 14 bytes a second, 1,000 tokens a minute. */
const spokenTokensPerByte = 1.25;

/** `tts…` is charged by characters whatever is told, other models by tokens (spec, billing 7). */
function measureSpeech(body: RequestBody, model: string): CallMeasure {
  const input = String(body.get('input'));
  if (!model.startsWith('tts')) {
    const bytes = Buffer.byteLength(input);
    return { promptTokens: heldPromptTokens(body), outputTokens: Math.ceil(bytes * spokenTokensPerByte), speaks: true };
  }
  const length = characters(input);
  return {
    promptTokens: length,
    outputTokens: 0,
    usageOf: () => ({ promptTokens: length, completionTokens: 0 }),
  };
}

/** By the upstream's tokens, else by its seconds, else by ours. */
async function measureAudio(body: RequestBody): Promise<CallMeasure> {
  const seconds = await audioSeconds(audioFile(body));
  const promptTokens = tokensOfSeconds(seconds);
  return {
    promptTokens,
    outputTokens: 0,
    usageOf: (told) => {
      if ((told?.promptTokens ?? 0) > 0) return told;
      // Some round what is short down to nothing.
      const listened = told?.audioSeconds || seconds;
      return { promptTokens: tokensOfSeconds(listened), completionTokens: 0, audioSeconds: listened };
    },
  };
}

type Measure = (body: RequestBody, model: string) => CallMeasure | Promise<CallMeasure>;

const measures: Partial<Record<WireFormat, Measure>> = {
  'openai-embeddings': measureInput,
  'gemini-embed': measureInput,
  'jina-rerank': measureInput,
  'openai-moderations': (body) => ({ ...measureInput(body), freeUnpriced: true }),
  'openai-images': measureImages,
  'openai-image-edits': measureImages,
  'openai-speech': measureSpeech,
  'openai-transcriptions': measureAudio,
  'openai-translations': measureAudio,
};

/** Undefined: a conversation. Throws AppError as the format's check does. */
export function measureCall(
  format: WireFormat,
  body: RequestBody,
  model: string,
): CallMeasure | Promise<CallMeasure> | undefined {
  return measures[format]?.(body, model);
}

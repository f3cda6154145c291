/** What a call is held and charged by, where that is not the text of its body. */

import type { Usage } from '../../../canonical/usage.ts';
import { imageTokens, mostImageTokens } from '../../../metering/image-tokens.ts';
import { estimateTokensFromBytes } from '../../../pricing/estimate-tokens.ts';
import type { ImageOrder } from '../../../pricing/images.ts';
import type { RequestBody } from '../../body/request-body.ts';

export interface CallMeasure {
  /** Tokens held by a smaller hold: what they are by experience. */
  readonly promptTokens: number;
  /** The most tokens that the prompt can be, its media apart. Absent: `promptTokens`. */
  readonly mostPromptTokens?: number;
  /** The most tokens of its media. Absent: by their number. */
  readonly mostMediaTokens?: number;
  readonly outputTokens: number;
  readonly images?: ImageOrder;
  /**
   * What was used, given what the upstream reported; undefined: the texts are counted. Absent: as
   * for a conversation.
   */
  readonly usageOf?: (reported: Usage | undefined) => Usage | undefined;
  /** The usage that is held, where kinds of tokens are priced differently. */
  readonly expected?: Usage;
  /** One answer of a realtime connection. */
  readonly realtime?: boolean;
  /** Generated speech is counted by its length where the upstream reported no tokens. */
  readonly speaks?: boolean;
  /** A model without a price costs nothing (moderation, which every vendor gives away). */
  readonly freeUnpriced?: boolean;
}

/**
 * Prompt tokens of an image, a recording or a file: what they usually are, and the most of those
 * that have a bound.
 */
const partTokens = 1600;
const mostPartTokens = 8192;

/** Bytes of encrypted thinking that make a token, at least and at most. */
const sealedBytesPerToken = 8;
const leastSealedBytesPerToken = 2.5;

function textBytes({ bytes, media }: RequestBody): number {
  return bytes.length - media.bytes - media.sealedBytes;
}

/** Prompt tokens of a body by its size, by experience (docs/rules/metering.md#held-prompt). */
export function heldPromptTokens(body: RequestBody, model: string): number {
  const { parts, sealedBytes } = body.media;
  const each = Math.max(partTokens, imageTokens(model, undefined) ?? 0);
  return (
    estimateTokensFromBytes(textBytes(body)) +
    Math.ceil(sealedBytes / sealedBytesPerToken) +
    parts * each
  );
}

/**
 * The most prompt tokens of a body, media apart: no tokenizer makes more than one token of a byte.
 */
export function mostPromptTokens(body: RequestBody): number {
  return textBytes(body) + Math.ceil(body.media.sealedBytes / leastSealedBytesPerToken);
}

/** The most prompt tokens of a body's media. */
export function mostMediaTokens({ media }: RequestBody, model: string): number {
  return media.parts * Math.max(mostPartTokens, mostImageTokens(model) ?? 0);
}

/** Calls that generate no text: embeddings, reranking, moderation. */
export function measureInput(body: RequestBody, model: string): CallMeasure {
  return {
    promptTokens: heldPromptTokens(body, model),
    mostPromptTokens: mostPromptTokens(body),
    outputTokens: 0,
    usageOf: (reported) =>
      (reported?.promptTokens ?? 0) > 0
        ? { ...reported, completionTokens: reported?.completionTokens ?? 0 }
        : undefined,
  };
}

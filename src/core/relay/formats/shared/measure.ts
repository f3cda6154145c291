/** What a call is held and charged by, where that is not the text of its body. */

import type { Usage } from '../../../canonical/chat.ts';
import { estimateTokensFromBytes } from '../../../pricing/estimate-tokens.ts';
import type { ImageOrder } from '../../../pricing/images.ts';
import type { RequestBody } from '../../body/request-body.ts';

export interface CallMeasure {
  /** Tokens held. */
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly images?: ImageOrder;
  /** What was used, given what the upstream reported; undefined: the texts are counted. Absent: as for a conversation. */
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

/** Prompt tokens held for an image or another piece of data. */
const blobTokens = 1600;

/** Prompt tokens of a body by its size, for the hold. */
export function heldPromptTokens(body: RequestBody): number {
  return estimateTokensFromBytes(body.bytes.length - body.blobBytes) + body.blobs * blobTokens;
}

/** Calls that generate no text: embeddings, reranking, moderation. */
export function measureInput(body: RequestBody): CallMeasure {
  return {
    promptTokens: heldPromptTokens(body),
    outputTokens: 0,
    usageOf: (reported) =>
      (reported?.promptTokens ?? 0) > 0 ? { ...reported, completionTokens: reported?.completionTokens ?? 0 } : undefined,
  };
}

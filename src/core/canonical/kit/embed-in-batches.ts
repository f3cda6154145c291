import type { EmbeddingReply, EmbeddingRequest } from '../calls.ts';

/** Requests under way at once. */
const width = 8;

/**
 * Embeds texts at an upstream that takes at most `size` of them per request: requested in batches,
 * returned as one reply in order. Usage is reported where every batch reports it. Rejects with the
 * first batch that fails.
 */
export async function embedInBatches(
  request: EmbeddingRequest,
  size: number,
  ask: (piece: EmbeddingRequest) => Promise<EmbeddingReply>,
): Promise<EmbeddingReply> {
  const pieces = Array.from({ length: Math.ceil(request.input.length / size) }, (_, at) => ({
    ...request,
    input: request.input.slice(at * size, (at + 1) * size),
    texts: request.texts?.slice(at * size, (at + 1) * size),
  }));
  const replies: EmbeddingReply[] = [];
  for (let at = 0; at < pieces.length; at += width) {
    replies.push(...(await Promise.all(pieces.slice(at, at + width).map(ask))));
  }
  let promptTokens: number | undefined = 0;
  for (const { usage } of replies) {
    const reported = usage?.promptTokens;
    promptTokens =
      promptTokens === undefined || reported === undefined ? undefined : promptTokens + reported;
  }
  return {
    embeddings: replies.flatMap(({ embeddings }) => embeddings),
    usage:
      promptTokens === undefined
        ? undefined
        : { promptTokens, raw: replies.flatMap(({ usage }) => usage?.raw ?? []) },
  };
}

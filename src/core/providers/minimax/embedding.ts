/**
 * Embeddings in MiniMax's own form (MiniMax, API reference of embeddings): `texts` in, `vectors`
 * out.
 */

import type { EmbeddingReply } from '../../canonical/calls.ts';
import { countOf, listOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import { minimaxAddress } from './address.ts';
import { refuseFailure } from './failure.ts';
import type { MiniMaxSettings } from './settings.ts';

/** Keys that do not name their account's group need it in the address. */
function addressOf(call: Call<MiniMaxSettings>): string {
  const address = minimaxAddress('/v1/embeddings', call);
  const group = textOf(call.settings?.group_id);
  return group === undefined ? address : `${address}?GroupId=${encodeURIComponent(group)}`;
}

function readReply(body: unknown): EmbeddingReply {
  const reply = replyObject(body);
  refuseFailure(reply);
  const embeddings = listOf(reply.vectors).map((vector) => listOf(vector) as number[]);
  if (embeddings.length === 0)
    throw new AppError('bad_response_body', { detail: 'no vectors in it' });
  const promptTokens = countOf(reply.total_tokens);
  return {
    embeddings,
    usage:
      promptTokens === undefined
        ? undefined
        : { promptTokens, completionTokens: 0, raw: [{ total_tokens: promptTokens }] },
  };
}

/**
 * Texts are embedded to be found unless the caller says `type: "query"`. Dimensions are not known
 * there and left out. Throws AppError('unsupported_feature') for tokens.
 */
export const embedding: OperationAdapter<'embedding', MiniMaxSettings> = {
  encode: (request, call) => ({
    method: 'POST',
    url: addressOf(call),
    headers: { ...jsonHeaders(false), ...bearerHeaders(call) },
    body: {
      model: call.model,
      texts: textInputs(request),
      type: textOf(request.extra.type) ?? 'db',
    },
  }),
  decode: readReply,
};

/** `/api/embed`: one vector per text (docs/rules/providers.md#ollama-replies). */

import { errorFromBody, ReplyFailure } from '../../canonical/kit/failure.ts';
import { compact, countOf, listOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { bareBase, jsonHeaders } from '../../canonical/kit/request-target.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';

export const embedding: OperationAdapter<'embedding'> = {
  encode: ({ dimensions, extra, ...inputs }, call) => ({
    method: 'POST',
    url: `${bareBase(call.baseUrl)}/api/embed`,
    headers: { ...jsonHeaders(false), ...bearerHeaders(call) },
    body: compact({
      model: call.model,
      input: textInputs(inputs),
      dimensions,
      truncate: extra.truncate,
      options: extra.options,
      keep_alive: extra.keep_alive,
    }),
  }),
  decode(body) {
    const reply = replyObject(body);
    if (reply.error) throw new ReplyFailure(errorFromBody(reply));
    const embeddings = listOf(reply.embeddings).map((vector) => listOf(vector) as number[]);
    if (embeddings.length === 0)
      throw new AppError('bad_response_body', { detail: 'the reply has no embeddings' });
    const promptTokens = countOf(reply.prompt_eval_count);
    return {
      model: textOf(reply.model),
      embeddings,
      ...(promptTokens === undefined
        ? {}
        : { usage: { promptTokens, raw: [{ prompt_eval_count: promptTokens }] } }),
    };
  },
};

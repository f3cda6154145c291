/**
 * Images and embeddings of v4 (docs/rules/providers.md#zhipu-v4). Bodies are rebuilt: v4 refuses
 * fields of OpenAI's.
 */

import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { compact, recordOf } from '../../canonical/kit/read-json.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { Call, OperationAdapter, UpstreamRequest } from '../../canonical/provider.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readEmbeddingReply } from '../openai-compatible/embedding.ts';
import { readImageReply } from '../openai-compatible/image.ts';
import { zhipuError } from './failure.ts';
import { zhipuRoots } from './roots.ts';

function post(path: string, call: Call, body: JsonObject): UpstreamRequest {
  const headers = { ...jsonHeaders(false), authorization: `Bearer ${call.key.reveal()}` };
  return { method: 'POST', url: zhipuRoots(call).openAi + path, headers, body };
}

function refuseFailure(body: unknown, type: string): void {
  const error = recordOf(recordOf(body)?.error);
  const own = zhipuError(error?.code, error?.message, type);
  if (own !== undefined) throw new ReplyFailure(own);
}

/** One image per call, always by address: `n` and `response_format` are not sent. */
export const image: OperationAdapter<'image'> = {
  encode: (request, call) =>
    post(
      '/images/generations',
      call,
      compact({
        model: call.model,
        prompt: request.prompt,
        quality: request.quality,
        size: request.size,
        watermark_enabled: request.extra.watermark_enabled,
        user_id: request.extra.user_id ?? request.user,
      }),
    ),
  decode(body) {
    refuseFailure(body, 'zhipu_image_error');
    return readImageReply(body);
  },
};

export const embedding: OperationAdapter<'embedding'> = {
  encode: ({ dimensions, ...inputs }, call) => {
    const texts = textInputs(inputs);
    const only = texts.length === 1 ? texts[0] : undefined;
    return post(
      '/embeddings',
      call,
      compact({ model: call.model, input: only ?? texts, dimensions }),
    );
  },
  decode(body) {
    refuseFailure(body, 'zhipu_error');
    return readEmbeddingReply(body);
  },
};

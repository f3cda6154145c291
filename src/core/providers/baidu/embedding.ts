/** Embeddings of the v1 interface (docs/rules/providers.md#baidu-v1-addresses). */
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { readEmbeddingReply } from '../openai-compatible/embedding.ts';
import { baiduAddress } from './address.ts';
import { replyOfBaidu } from './decode-chat.ts';

export const embedding: OperationAdapter<'embedding'> = {
  encode: (request, call) => ({
    method: 'POST',
    url: baiduAddress(call),
    headers: jsonHeaders(false),
    body: { input: textInputs(request) },
  }),
  decode: (body) => readEmbeddingReply(replyOfBaidu(body)),
};

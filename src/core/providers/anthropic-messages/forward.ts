/**
 * Anthropic's messages at vendors that offer them beside OpenAI's chats: bodies of coding agents
 * are forwarded there.
 */

import { foreignSignature, stripForeignSignatures } from '../../canonical/kit/foreign-signature.ts';
import { textOf } from '../../canonical/kit/read-json.ts';
import { clientQuery } from '../../canonical/kit/request-target.ts';
import type { PassThrough, ReplyReader } from '../../canonical/pass-through.ts';
import type { Call } from '../../canonical/provider.ts';
import { factsOf } from '../../models/known-models.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { readMessageReply } from './decode-chat.ts';
import { MessageStreamDecoder } from './decode-stream.ts';
import { anthropicHeaders } from './request.ts';

const replies: ReplyReader = {
  decode: (body) => readMessageReply(body, false),
  createStreamDecoder: () => new MessageStreamDecoder(false),
};

/**
 * `/v1/messages` is appended to the root; undefined: this call is translated. The key is sent in
 * both headers, as vendors' documents name different ones. `extra`: further headers of the vendor.
 */
export function forwardMessages(
  rootOf: (call: Call<OpenAiSettings>) => string | undefined,
  extra: (call: Call<OpenAiSettings>) => Readonly<Record<string, string>> = () => ({}),
): PassThrough<OpenAiSettings> {
  return {
    format: 'anthropic-messages',
    target(fields, call) {
      const root = call.settings?.force_format === true ? undefined : rootOf(call);
      if (root === undefined) return undefined;
      const headers = anthropicHeaders(
        call,
        fields.get('stream') === true,
        textOf(fields.get('model')),
      );
      const foreign = fields.contains?.(foreignSignature) === true;
      return {
        url: `${root}/v1/messages${clientQuery(call)}`,
        headers: { ...headers, authorization: `Bearer ${call.key.reveal()}`, ...extra(call) },
        edits: foreign ? { messages: stripForeignSignatures(fields.get('messages')) } : {},
      };
    },
    thinking: ({ model }) =>
      factsOf(model).takes?.thinking_returned === true ? replies : undefined,
  };
}

/** Anthropic's wire at vendors that speak it beside OpenAI's: coding agents' own bodies travel there. */

import { foreignSignature, stripForeignSignatures } from '../../canonical/kit/foreign-signature.ts';
import { textOf } from '../../canonical/kit/read-json.ts';
import { clientQuery } from '../../canonical/kit/request-target.ts';
import type { Call, PassThrough } from '../../canonical/provider.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { anthropicHeaders } from './request.ts';

/**
 * `/v1/messages` comes behind the root; undefined: this call is translated. The key goes in either header, as documents of
 * such vendors name different ones. `extra`: what the vendor wants besides.
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
      const headers = anthropicHeaders(call, fields.get('stream') === true, textOf(fields.get('model')));
      const foreign = fields.contains?.(foreignSignature) === true;
      return {
        url: `${root}/v1/messages${clientQuery(call)}`,
        headers: { ...headers, authorization: `Bearer ${call.key.reveal()}`, ...extra(call) },
        edits: foreign ? { messages: stripForeignSignatures(fields.get('messages')) } : {},
      };
    },
  };
}

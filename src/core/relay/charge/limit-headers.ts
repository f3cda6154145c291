/** What is left of limits, in the headers of a reply (docs/rules/relay.md#limit-headers). */
import type { ClientReply } from '../client/client.ts';
import { addHeaders } from '../client/edit-reply.ts';
import type { CallerContext } from '../context.ts';
import type { Allowance } from '../formats/families/api-family.ts';
import { openAiLimitHeaders } from '../formats/families/openai.ts';

/** What is left of the limit of requests that a reply names. */
const shown = new WeakMap<ClientReply, number>();

/** Every reply says what is left, also a refusal; of two limits the one that is nearer to its end. */
export function showLimit({ response, route, deps }: CallerContext, allowance: Allowance): void {
  if (response.headersSent) return;
  if (allowance.unit === 'requests') {
    if ((shown.get(response) ?? allowance.left) < allowance.left) return;
    shown.set(response, allowance.left);
  }
  const { limitHeaders = openAiLimitHeaders } = route.family;
  addHeaders(response, limitHeaders(allowance, deps.clock.now()));
}

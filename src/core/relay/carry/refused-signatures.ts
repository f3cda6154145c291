/**
 * Thinking signatures are bound to the account and vendor that made them, and nothing in them names
 * either. They are sent as they came; an upstream that refuses them, because the conversation began
 * elsewhere, is asked once more without them (docs/rules/formats.md#refused-signatures).
 */
import type { ProviderError } from '../../canonical/chat.ts';
import { readBody } from '../body/body-fields.ts';
import type { RelayJob } from '../job.ts';

/**
 * The job without the signatures that the upstream refused; undefined: its error is about something
 * else, or there are none.
 */
export function withoutRefusedSignatures(
  job: RelayJob,
  { status, code = '', message = '' }: ProviderError,
): RelayJob | undefined {
  const rules = status === 400 ? job.format.signatures : undefined;
  if (rules === undefined || !rules.refusal.test(`${code} ${message}`)) return undefined;
  const edits = rules.without(job.body);
  const body = Object.keys(edits).length === 0 ? null : readBody(job.body.write(edits).bytes);
  return body === null ? undefined : { ...job, body };
}

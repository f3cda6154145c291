/**
 * Thinking signatures are bound to the account and vendor that made them, and nothing in them names
 * either. They are sent as they came; an upstream that refuses them, because the conversation began
 * elsewhere, gets the request once more without them (docs/rules/formats.md#refused-signatures). Where it is
 * known that it began elsewhere, they are left out at once.
 */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import type { Attempt } from '../attempt.ts';
import { readBody } from '../body/body-fields.ts';
import type { BodyEdits } from '../body/request-body.ts';
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
  return edited(job, rules.without(job.body));
}

/** The job without the signatures that are known to be other accounts'; undefined: there are none. */
export function withoutForeignSignatures(
  job: RelayJob,
  { channel, foreignMessages }: Pick<Attempt, 'channel' | 'foreignMessages'>,
): RelayJob | undefined {
  const { name, signatures } = job.format;
  if (foreignMessages === undefined || signatures?.areAccounts !== true) return undefined;
  if (channel.provider.sharedSignatures?.includes(name) === true) return undefined;
  return edited(job, signatures.without(job.body, foreignMessages));
}

function edited(job: RelayJob, edits: BodyEdits): RelayJob | undefined {
  const body = Object.keys(edits).length === 0 ? null : readBody(job.body.write(edits).bytes);
  return body === null ? undefined : { ...job, body };
}

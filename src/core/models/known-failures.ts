/**
 * What vendors write when a prompt is too long, when they hold content back, and when the account
 * behind a key cannot be used (docs/rules/relay.md#known-failures).
 */
import { accounts } from './failures/accounts.ts';
import { filters } from './failures/filters.ts';
import type { FailureTopic } from './failures/known-failure.ts';
import { overflows } from './failures/overflows.ts';

const known = [...overflows, ...filters, ...accounts];

/** What an error of a vendor is known by; `message` as it came. */
export interface WrittenFailure {
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/**
 * What an error is about; undefined: nothing that is known here. Of several meanings the first
 * counts: prompts before content, content before accounts. `vendor`: the provider's slug.
 */
export function topicOf(
  { type, code, message }: WrittenFailure,
  vendor: string,
): FailureTopic | undefined {
  const text = message?.toLowerCase() ?? '';
  const names = [type, code].map((name) => name?.toLowerCase());
  return known.find(
    (one) =>
      (one.vendor === undefined || vendor.startsWith(one.vendor)) &&
      (one.codes?.some((name) => names.includes(name.toLowerCase())) === true ||
        one.words?.some((parts) => parts.every((part) => text.includes(part))) === true),
  )?.about;
}

/** The end user of a request, in a form that vendors other than Anthropic accept. */
import { createHash } from 'node:crypto';
import type { ChatRequest } from '../chat.ts';

/**
 * The name the caller gave. Callers of messages write into `metadata.user_id` what is Anthropic's
 * business only (Claude Code: device, account and session), of which others get a hash of 64
 * characters (docs/rules/formats.md#end-user).
 */
export function endUser({
  user,
  origin,
}: Pick<ChatRequest, 'user' | 'origin'>): string | undefined {
  if (user === undefined || origin !== 'anthropic-messages') return user;
  return createHash('sha256').update(user).digest('hex');
}

/** What the site's switches change in the body of a submit (docs/rules/midjourney.md#switches). */
import { withoutSpeed } from '../../../canonical/drawing.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { checkUrl, type GuardPolicy } from '../../../upstream/guard.ts';
import type { DrawingPolicy } from '../../policy.ts';
import { DrawingRefusal } from './refusal.ts';

/** Throws DrawingRefusal for an address inside; the proxy calls it, so that any port will do. */
function checkHook(hook: unknown, guard: GuardPolicy): void {
  const refused = new DrawingRefusal('notify_hook_not_allowed');
  if (typeof hook !== 'string' || !URL.canParse(hook)) throw refused;
  try {
    checkUrl(new URL(hook), { ...guard, ports: [] });
  } catch {
    throw refused;
  }
}

/**
 * A copy without what the site does not send on. Throws DrawingRefusal where `notifyHook` is sent
 * and must not be called.
 */
export function editBody(body: JsonObject, policy: DrawingPolicy, guard: GuardPolicy): JsonObject {
  const { notifyHook, accountFilter, ...rest } = body;
  const { prompt } = rest;
  const hasHook =
    policy.sendsHooks && notifyHook !== undefined && notifyHook !== null && notifyHook !== '';
  if (hasHook) checkHook(notifyHook, guard);
  return {
    ...rest,
    ...(policy.clearsModes && typeof prompt === 'string' && { prompt: withoutSpeed(prompt) }),
    ...(policy.sendsAccountFilter && accountFilter !== undefined && { accountFilter }),
    ...(hasHook && { notifyHook }),
  };
}

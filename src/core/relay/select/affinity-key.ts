/**
 * Identifies the conversation of a request (docs/rules/routing.md#affinity-key). Prompt caches,
 * thinking signatures and encrypted reasoning are bound to the account that made them, so a
 * conversation should keep its channel.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyFields } from '../../canonical/pass-through.ts';
import { isObject, parseObject } from '../../kernel/json.ts';

/** Claude Code, Codex, opencode. */
const headerNames = ['x-claude-code-session-id', 'session-id', 'x-session-affinity'] as const;

/** Longer keys are kept as their hash. */
const longestKey = 128;

const sessionMark = '_session_';

function sessionOf(userId: string): string {
  const mark = userId.indexOf(sessionMark);
  const session = mark === -1 ? undefined : userId.slice(mark + sessionMark.length);
  const named = userId.startsWith('{') ? parseObject(userId)?.['session_id'] : session;
  return typeof named === 'string' && named !== '' ? named : userId;
}

function keyInBody(body: BodyFields): string | undefined {
  try {
    const named = body.has('prompt_cache_key') ? body.get('prompt_cache_key') : undefined;
    if (typeof named === 'string' && named !== '') return named;
    const metadata = body.has('metadata') ? body.get('metadata') : undefined;
    const userId = isObject(metadata) ? metadata['user_id'] : undefined;
    return typeof userId === 'string' && userId !== '' ? sessionOf(userId) : undefined;
  } catch {
    // Malformed inside: the reader of the body reports that.
    return undefined;
  }
}

/** Undefined: no conversation is recognised. Reads at most two fields of the body. */
export function affinityKey(headers: IncomingHttpHeaders, body: BodyFields): string | undefined {
  let key: string | undefined;
  for (const name of headerNames) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') {
      key = value;
      break;
    }
  }
  key ??= keyInBody(body);
  if (key === undefined || key.length <= longestKey) return key;
  return createHash('sha256').update(key).digest('base64url');
}

/**
 * `claude` of `claude-opus-4-6`, `gpt` of `openai/gpt-5.1`: models whose conversations may share an
 * account's state.
 */
export function modelFamily(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return /^[a-z]+/.exec(name)?.[0] ?? name;
}

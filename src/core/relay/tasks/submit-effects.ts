/**
 * HTTP of a submit: shaped by the channel's rules, and watched, so that a failure can be judged.
 */
import type { Call, Effects } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, parseJson } from '../../kernel/json.ts';
import { createEffects } from '../../upstream/account.ts';
import type { Attempt } from '../attempt.ts';
import type { CallerContext } from '../context.ts';
import { shapeEncoded, shapingOfAttempt } from '../shape/index.ts';

/** How the last request of a submit ended. */
export interface LastExchange {
  /**
   * `none`: nothing was sent. `unconnected`: no connection came about. `unanswered`: it was sent,
   * and no complete reply came.
   */
  ended: 'none' | 'unconnected' | 'unanswered' | 'answered';
  /** Of the reply; 0: none. */
  status: number;
  /** The reply was a JSON object. */
  readable: boolean;
}

export interface SubmitEffects extends Effects {
  readonly last: Readonly<LastExchange>;
}

/** Bytes of a reply to a submit. */
const maxReplyBytes = 5 * 1024 * 1024;

/** `signal`: ends the request where the gateway stops; a client that leaves does not. */
export function submitEffects(
  context: CallerContext & { readonly model: string },
  attempt: Attempt,
  call: Call,
  request: { readonly signal: AbortSignal; readonly timeout: number },
): SubmitEffects {
  const { upstream, clock } = context.deps;
  const claim = (bytes: number) => context.memory.takeReply(bytes);
  const limits = { maxBytes: maxReplyBytes, claim };
  const effects = createEffects(upstream, clock, attempt.channel.proxy, request.signal, limits);
  const shaping = shapingOfAttempt(context, attempt, call);
  const last: LastExchange = { ended: 'none', status: 0, readable: false };
  return {
    ...effects,
    last,
    fetch: async ({ timeoutMs = request.timeout, ...sent }) => {
      const shaped = shapeEncoded(shaping, sent);
      Object.assign(last, { ended: 'unanswered', status: 0, readable: false });
      try {
        const reply = await effects.fetch({ ...shaped.seal(shaped.request), timeoutMs });
        Object.assign(last, {
          ended: 'answered',
          status: reply.status,
          readable: isObject(parseJson(reply.text.trim())),
        });
        return reply;
      } catch (error) {
        if (isUnconnected(error)) last.ended = 'unconnected';
        throw error;
      }
    },
  };
}

/** No connection came about, or the rules for outgoing requests refused its address. */
function isUnconnected(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === 'do_request_failed' || error.code === 'address_not_allowed')
  );
}

/**
 * Whether an upstream may have accepted a task although its submit failed
 * (docs/rules/tasks.md#retries): nobody knows, so another channel must not try.
 */
export function isAmbiguous({ ended, status, readable }: LastExchange): boolean {
  if (ended !== 'answered') return ended === 'unanswered';
  if (status >= 200 && status < 300) return !readable;
  return status >= 500 && (!readable || status === 504 || status === 524);
}

/** The key or its account was refused, or the upstream is at its limit. */
const refusals: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/** Whether nothing can have been made upstream, so that another channel may try. */
export function isSafeToRetry(last: LastExchange): boolean {
  const { ended, status } = last;
  if (ended !== 'answered') return ended !== 'unanswered';
  return refusals.has(status) || (status >= 500 && !isAmbiguous(last));
}

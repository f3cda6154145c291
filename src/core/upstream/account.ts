/** Calls about a channel's account: its model list, its balance (spec, relay 11; console-api 6.2, 6.7). */

import type { Balance, Effects, ProviderOptions, UpstreamRequest } from '../canonical/provider.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { buildCall, noClient, type UpstreamChannel } from './channel.ts';
import { headerText } from './exchange.ts';
import { factsWithoutRequest } from './rules/request-facts.ts';
import type { Upstream } from './send.ts';

/** Largest reply of such a call, in bytes, and its time limit in ms. */
const maxReplyBytes = 5 * 1024 * 1024;
const timeout = 10_000;

/** HTTP and a cache for the adapter parts that are not pure. `maxBytes`: largest reply, where it may be more than an account's. */
export function createEffects(
  upstream: Upstream,
  clock: Clock,
  proxy: string | undefined,
  signal?: AbortSignal,
  maxBytes: number = maxReplyBytes,
): Effects {
  return {
    fetch: async (request: UpstreamRequest & { readonly timeoutMs?: number }) => {
      const { body } = request;
      const limit = request.timeoutMs ?? timeout;
      const reply = await upstream.collect(
        {
          method: request.method,
          url: request.url,
          headers: request.headers,
          body: body === undefined ? undefined : body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
          proxy,
          firstByteTimeout: limit,
          idleTimeout: limit,
        },
        maxBytes,
        signal,
      );
      const headers = Object.fromEntries(Object.keys(reply.headers).map((name) => [name, headerText(reply.headers, name)]));
      return { status: reply.status, text: reply.bytes.toString('utf8'), headers };
    },
    sleep: (milliseconds) => clock.sleep(milliseconds, signal),
    now: () => new Date(clock.now()),
    cache: sharedCache(clock),
  };
}

/** Above this many, those that have ended are forgotten. */
const sweepAbove = 1000;
const cached = new Map<string, { readonly value: string; readonly until: number }>();

/** Access tokens and the like, for the life of the process. */
function sharedCache(clock: Clock): Effects['cache'] {
  return {
    get: (key) => {
      const entry = cached.get(key);
      return entry !== undefined && entry.until > clock.now() ? entry.value : undefined;
    },
    set: (key, value, ttlSeconds) => {
      const now = clock.now();
      if (cached.size >= sweepAbove) for (const [name, { until }] of cached) if (until <= now) cached.delete(name);
      cached.set(key, { value, until: now + ttlSeconds * 1000 });
    },
  };
}

export interface AccountDeps {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly options: () => ProviderOptions;
}

/** For calls beside requests: through the channel's proxy and with its own headers, those of callers aside. */
export function channelEffects(
  { proxy, rules, key }: UpstreamChannel,
  { upstream, clock }: Pick<AccountDeps, 'upstream' | 'clock'>,
  signal?: AbortSignal,
): Effects {
  const effects = createEffects(upstream, clock, proxy, signal);
  const wanted = rules.headers?.values(factsWithoutRequest(key));
  if (wanted === undefined) return effects;
  const added = Object.fromEntries(wanted);
  return { ...effects, fetch: (request) => effects.fetch({ ...request, headers: { ...request.headers, ...added } }) };
}

/** Throws AppError channel_models_unsupported, or what the call failed with. */
export async function fetchModels(channel: UpstreamChannel, deps: AccountDeps): Promise<readonly string[]> {
  const list = channel.provider.account?.listModels;
  if (list === undefined) throw new AppError('channel_models_unsupported');
  const call = buildCall(channel, '', noClient, deps.options(), deps.clock.now());
  return list(call, channelEffects(channel, deps));
}

/** Throws AppError channel_balance_unsupported, or what the call failed with. */
export async function fetchBalance(channel: UpstreamChannel, deps: AccountDeps): Promise<Balance> {
  const read = channel.provider.account?.readBalance;
  if (read === undefined) throw new AppError('channel_balance_unsupported');
  const call = buildCall(channel, '', noClient, deps.options(), deps.clock.now());
  return read(call, channelEffects(channel, deps));
}

/** Calls about a channel's upstream account: model list and balance. */

import type { Balance, Effects, ProviderOptions, UpstreamRequest } from '../canonical/provider.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { FoundModel } from '../models/sources/found-model.ts';
import { buildCall, noClient, type UpstreamChannel } from './channel.ts';
import { headerText } from './exchange.ts';
import { maskOf } from './mask.ts';
import { factsWithoutRequest } from './rules/request-facts.ts';
import type { Upstream } from './send.ts';

/** Size limit of the reply in bytes, and time limit of the call in ms. */
const maxReplyBytes = 5 * 1024 * 1024;
const timeout = 10_000;

export interface EffectLimits {
  /** Size limit of replies, if other than that of account calls. */
  readonly maxBytes?: number;
  /** Called with the bytes of each chunk that is kept; what it throws ends the call. */
  readonly claim?: (bytes: number) => void;
}

/** HTTP and a cache for the effectful methods of adapters. */
export function createEffects(
  upstream: Pick<Upstream, 'collect'>,
  clock: Clock,
  proxy: string | undefined,
  signal?: AbortSignal,
  { maxBytes = maxReplyBytes, claim }: EffectLimits = {},
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
          body:
            body === undefined
              ? undefined
              : body instanceof Uint8Array
                ? Buffer.from(body)
                : JSON.stringify(body),
          proxy,
          firstByteTimeout: limit,
          idleTimeout: limit,
          // A reply that trickles ends, too.
          totalTimeout: 2 * limit,
        },
        maxBytes,
        signal,
        claim,
      );
      const headers = Object.fromEntries(
        Object.keys(reply.headers).map((name) => [name, headerText(reply.headers, name)]),
      );
      return { status: reply.status, text: reply.bytes.toString('utf8'), headers };
    },
    sleep: (milliseconds) => clock.sleep(milliseconds, signal),
    now: () => new Date(clock.now()),
    cache: sharedCache(clock),
  };
}

/** Number of entries above which expired ones are removed. */
const sweepAbove = 1000;
const cached = new Map<string, { readonly value: string; readonly until: number }>();

/** Access tokens and similar values, kept for the lifetime of the process. */
function sharedCache(clock: Clock): Effects['cache'] {
  return {
    get: (key) => {
      const entry = cached.get(key);
      return entry !== undefined && entry.until > clock.now() ? entry.value : undefined;
    },
    set: (key, value, ttlSeconds) => {
      const now = clock.now();
      if (cached.size >= sweepAbove)
        for (const [name, { until }] of cached) if (until <= now) cached.delete(name);
      cached.set(key, { value, until: now + ttlSeconds * 1000 });
    },
  };
}

export interface AccountDeps {
  readonly upstream: Pick<Upstream, 'collect'>;
  readonly clock: Clock;
  readonly options: () => ProviderOptions;
}

/**
 * Effects of calls outside of a relayed request: with the channel's proxy and header override,
 * without caller headers.
 */
export function channelEffects(
  { proxy, rules, key }: UpstreamChannel,
  { upstream, clock }: Pick<AccountDeps, 'upstream' | 'clock'>,
  signal?: AbortSignal,
  limits?: EffectLimits,
): Effects {
  const effects = createEffects(upstream, clock, proxy, signal, limits);
  const values = rules.headers?.values(factsWithoutRequest(key));
  if (values === undefined) return effects;
  const added = Object.fromEntries(values);
  return {
    ...effects,
    fetch: (request) => effects.fetch({ ...request, headers: { ...request.headers, ...added } }),
  };
}

/** The error of a call with the upstream's words masked as those of relayed requests are. */
async function masked<T>(channel: UpstreamChannel, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || typeof error.params['detail'] !== 'string') throw error;
    const detail = maskOf(channel)(error.params['detail']);
    throw new AppError(error.code, { ...error.params, detail }, { cause: error.cause });
  }
}

/** Throws AppError channel_models_unsupported, or the error of the call. */
export async function fetchModels(
  channel: UpstreamChannel,
  deps: AccountDeps,
): Promise<readonly string[]> {
  const list = channel.provider.account?.listModels;
  if (list === undefined) throw new AppError('channel_models_unsupported');
  const call = buildCall(channel, '', noClient, deps.options(), deps.clock.now());
  return masked(channel, list(call, channelEffects(channel, deps)));
}

/** Empty: the upstream says nothing of its models. Throws the error of the call. */
export async function describeModels(
  channel: UpstreamChannel,
  deps: AccountDeps,
): Promise<readonly FoundModel[]> {
  const describe = channel.provider.account?.describeModels;
  if (describe === undefined) return [];
  const call = buildCall(channel, '', noClient, deps.options(), deps.clock.now());
  return masked(channel, describe(call, channelEffects(channel, deps)));
}

/** Size limit of a list in bytes; milliseconds without a byte, and in all. */
const listLimits = { bytes: 32 * 1024 * 1024, idleMs: 60_000, ms: 300_000 };

/**
 * The text at an address. Throws AppError bad_response_status_code, and the error of the call.
 * `proxy`: an `http:`, `https:` or `socks5:` URL.
 */
export async function fetchText(
  url: string,
  proxy: string | undefined,
  { upstream, clock }: Pick<AccountDeps, 'upstream' | 'clock'>,
  limits = listLimits,
): Promise<string> {
  const whole = new AbortController();
  const timer = setTimeout(() => whole.abort(new AppError('upstream_timeout')), limits.ms);
  const more = { maxBytes: limits.bytes };
  const effects = createEffects(upstream, clock, proxy, whole.signal, more);
  const headers = { accept: 'application/json, text/plain' };
  const request = { method: 'GET', url, headers, timeoutMs: limits.idleMs } as const;
  try {
    const { status, text } = await effects.fetch(request);
    if (status !== 200) throw new AppError('bad_response_status_code', { status });
    return text;
  } finally {
    clearTimeout(timer);
  }
}

/** Throws AppError channel_balance_unsupported, or the error of the call. */
export async function fetchBalance(
  channel: UpstreamChannel,
  deps: AccountDeps,
  signal?: AbortSignal,
): Promise<Balance> {
  const read = channel.provider.account?.readBalance;
  if (read === undefined) throw new AppError('channel_balance_unsupported');
  const call = buildCall(channel, '', noClient, deps.options(), deps.clock.now());
  return masked(channel, read(call, channelEffects(channel, deps, signal)));
}

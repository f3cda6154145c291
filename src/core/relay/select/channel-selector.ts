/**
 * Chooses the channels of one request: which one it tries next and why, and what each attempt says
 * about the channel's health. No channel is tried twice. Of a channel with several keys another key
 * is tried when only the key failed (it was refused, or is at its limit): any other failure would
 * happen again at the same address (docs/rules/routing.md).
 */
import { drawChannel, type Tier } from '../../channels/routing-index.ts';
import type { Awaitable } from '../../cluster/cluster.ts';
import { AppError } from '../../kernel/errors.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { AttemptResult, Consideration } from '../attempt.ts';
import type { RememberedChannel } from './affinity.ts';
import { isLesser, type Unavailability } from './health.ts';
import { holdingChannel } from './holder.ts';
import { causeOf, judgeFailure } from './judge-failure.ts';
import { KeyChoice } from './key-choice.ts';
import { KnownConversation } from './known-conversation.ts';
import { considerationOf, type SelectionReason } from './route-steps.ts';
import type { RoutedRequest, SelectorDeps } from './selector-deps.ts';

/** Whether a channel's provider can serve the request. */
export type Capability = (channel: UpstreamChannel) => boolean;

export interface Selection {
  /** With the key that is to be used. */
  readonly channel: UpstreamChannel;
  readonly reason: SelectionReason;
  /** Clock milliseconds. */
  readonly startedAt: number;
  /** Health keys of half-open circuits that this attempt probes. */
  readonly probes: readonly string[];
  readonly considered: Consideration;
  /** As in an attempt. */
  readonly foreignMessages: number | undefined;
}

const brokenStream = { own: true, coolDown: undefined } as const;
const nothingConsidered: Consideration = {};

export class ChannelSelector {
  readonly #deps: SelectorDeps;
  readonly #job: RoutedRequest;
  readonly #canServe: Capability;
  readonly #tried = new Set<number>();
  readonly #keys: KeyChoice;
  readonly #conversation: KnownConversation;
  #last: UpstreamChannel | undefined;

  constructor(deps: SelectorDeps, job: RoutedRequest, canServe: Capability) {
    this.#deps = deps;
    this.#job = job;
    this.#canServe = canServe;
    this.#keys = new KeyChoice(deps, job.model);
    this.#conversation = new KnownConversation(deps.affinity, job);
  }

  /**
   * Undefined: no channel is left to try. Throws AppError for the first selection only:
   * channel_pin_disabled, unsupported_operation, upstream_saturated (the upstreams of all channels
   * requested a cool-down). A promise only for a first selection whose conversation is looked up
   * elsewhere: await only then, which saves the hot path a turn.
   */
  next(): Awaitable<Selection | undefined> {
    if (this.#job.pin !== undefined) return this.#pinned(this.#job.pin);
    const sibling = this.#keys.another();
    if (sibling !== undefined) return this.#take(sibling, 'next_key', nothingConsidered);
    const tiers = this.#deps.routing.tiers(this.#job.group, this.#job.model);
    const holder = this.#holder(tiers);
    if (holder !== undefined) return this.#take(holder, 'state', this.#consider(tiers, holder));
    const remembered = this.#findRemembered(tiers);
    if (!(remembered instanceof Promise)) return this.#choose(tiers, remembered);
    // The index may have changed meanwhile.
    return remembered.then((found) =>
      this.#choose(this.#deps.routing.tiers(this.#job.group, this.#job.model), found),
    );
  }

  #choose(tiers: readonly Tier[], found: RememberedChannel | undefined): Selection | undefined {
    if (tiers.length === 0) return undefined;
    this.#conversation.keep(found);
    const remembered = found === undefined ? undefined : this.#usableChannel(tiers, found);
    const faster = remembered === undefined ? undefined : this.#fasterThan(remembered, tiers);
    if (faster !== undefined)
      return this.#take(faster, this.#reasonFor(faster, tiers), this.#consider(tiers, faster));
    if (remembered !== undefined)
      return this.#take(remembered, 'affinity', {
        ...this.#consider(tiers, remembered),
        affinity: this.#conversation.recognised,
      });
    const drawn = drawChannel(tiers, (channel) => !this.#isOpen(channel), this.#deps.chance);
    if (drawn !== undefined)
      return this.#take(drawn, this.#reasonFor(drawn, tiers), this.#consider(tiers, drawn));
    return this.#lastResort(tiers);
  }

  /** Another channel, where this one has become slow. */
  #fasterThan(remembered: UpstreamChannel, tiers: readonly Tier[]): UpstreamChannel | undefined {
    const { slow, chance } = this.#deps;
    const { model } = this.#job;
    if (!slow.isSlow(remembered, model)) return undefined;
    const skip = (channel: UpstreamChannel) =>
      channel.id === remembered.id || !this.#isOpen(channel) || slow.isSlow(channel, model);
    return drawChannel(tiers, skip, chance);
  }

  /** Takes note of how an attempt ended. Must be called once for each selection. */
  report({ channel, probes, startedAt }: Selection, result: AttemptResult): void {
    const { health } = this.#deps;
    const { model } = this.#job;
    if (result.kind === 'gone') return health.releaseProbes(probes);
    if (result.kind === 'served') {
      const broken = result.ended === 'upstream_cut' || result.ended === 'idle_timeout';
      if (broken) return health.failed(channel, model, brokenStream, probes, result.ended ?? '');
      if (result.late !== undefined) this.#deps.slow.note(channel, model, result.late);
      health.succeeded(channel, model, startedAt);
      health.releaseProbes(probes);
      this.#conversation.served(channel);
      return;
    }
    const meaning = judgeFailure(result.failure);
    health.failed(channel, model, meaning, probes, causeOf(result.failure));
    if (!meaning.own) health.releaseProbes(probes);
    if (meaning.keyOnly) this.#keys.failedAlone(channel);
  }

  /**
   * Seconds until a repeat makes sense: what the last upstream `requested`, or less where another
   * channel is free sooner.
   */
  retryAfter(requested: number | undefined): number {
    const { health, routing } = this.#deps;
    let soonest = Math.max(1, Math.ceil(requested ?? 1));
    for (const { channels } of this.#job.pin === undefined
      ? routing.tiers(this.#job.group, this.#job.model)
      : []) {
      for (const channel of channels) {
        if (
          (channel.id === this.#last?.id && channel.keys === undefined) ||
          !this.#canServe(channel)
        )
          continue;
        const unavailability = health.unavailability(channel, this.#job.model);
        if (unavailability === undefined) return 1;
        if (unavailability.kind === 'cool_down')
          soonest = Math.min(soonest, health.secondsUntil(unavailability.readyAt));
      }
    }
    return soonest;
  }

  #pinned(id: number): Selection | undefined {
    if (this.#tried.size > 0) return undefined;
    const channel = this.#deps.routing.find(id);
    if (channel === undefined) throw new AppError('channel_pin_disabled');
    if (!this.#canServe(channel))
      throw new AppError('unsupported_operation', { detail: this.#job.format.name });
    return this.#take(
      holdingChannel(channel, this.#job.continuation) ?? channel,
      'pinned',
      nothingConsidered,
    );
  }

  #isOpen(channel: UpstreamChannel): boolean {
    if (this.#tried.has(channel.id) || !this.#canServe(channel)) return false;
    const { health } = this.#deps;
    return health.isClear || health.unavailability(channel, this.#job.model) === undefined;
  }

  /**
   * The channel, with its key, that keeps the conversation: only for the first attempt, and only if
   * both are available.
   */
  #holder(tiers: readonly Tier[]): UpstreamChannel | undefined {
    const { continuation } = this.#job;
    if (continuation === undefined || this.#tried.size > 0) return undefined;
    for (const { channels } of tiers) {
      const channel = channels.find(({ id }) => id === continuation.channelId);
      const holder =
        channel === undefined || !this.#isOpen(channel)
          ? undefined
          : holdingChannel(channel, continuation);
      if (holder !== undefined) return this.#keys.usable([holder])[0];
    }
    return undefined;
  }

  #findRemembered(tiers: readonly Tier[]): Awaitable<RememberedChannel | undefined> {
    const isDecided = this.#tried.size > 0 || tiers.length === 0 || isOnlyOne(tiers);
    return isDecided ? undefined : this.#conversation.find();
  }

  /**
   * A remembered channel, with its key if that one is usable. Undefined: it is no candidate, or
   * unavailable.
   */
  #usableChannel(tiers: readonly Tier[], found: RememberedChannel): UpstreamChannel | undefined {
    for (const { channels } of tiers) {
      const channel = channels.find(({ id }) => id === found.channelId);
      if (channel === undefined) continue;
      if (!this.#isOpen(channel)) return undefined;
      const keyed =
        channel.keys?.enabled.filter(({ healthKeys }) => healthKeys.at(-1) === found.healthKey) ??
        [];
      return this.#keys.usable(keyed)[0] ?? channel;
    }
    return undefined;
  }

  #reasonFor(channel: UpstreamChannel, tiers: readonly Tier[]): SelectionReason {
    if (isOnlyOne(tiers)) return 'priority';
    const tier = tiers.find(({ channels }) => channels.includes(channel));
    return tier?.channels.some((other) => other !== channel && this.#isOpen(other))
      ? 'weight'
      : 'priority';
  }

  /**
   * No channel left is healthy: the one that is soonest available serves all the same, unless it
   * would only refuse.
   */
  #lastResort(tiers: readonly Tier[]): Selection | undefined {
    let best:
      | { readonly channel: UpstreamChannel; readonly unavailability: Unavailability }
      | undefined;
    for (const { channels } of tiers) {
      for (const channel of channels) {
        if (this.#tried.has(channel.id) || !this.#canServe(channel)) continue;
        const unavailability = this.#deps.health.unavailability(channel, this.#job.model);
        if (
          unavailability !== undefined &&
          (best === undefined || isLesser(unavailability, best.unavailability))
        )
          best = { channel, unavailability };
      }
    }
    const first = this.#tried.size === 0;
    if (best === undefined) {
      if (first) throw new AppError('unsupported_operation', { detail: this.#job.format.name });
      return undefined;
    }
    if (!best.unavailability.binding)
      return this.#take(best.channel, 'last_resort', this.#consider(tiers, best.channel));
    if (first)
      throw new AppError('upstream_saturated', {
        retryAfter: this.#deps.health.secondsUntil(best.unavailability.readyAt),
      });
    return undefined;
  }

  #take(channel: UpstreamChannel, reason: SelectionReason, considered: Consideration): Selection {
    const chosen = this.#keys.take(channel);
    this.#tried.add(chosen.id);
    this.#last = chosen;
    const probes = this.#deps.health.startProbes(chosen);
    const moved = this.#conversation.moves(chosen);
    return {
      channel: chosen,
      reason:
        probes.length > 0 && reason !== 'affinity' && reason !== 'state' && reason !== 'pinned'
          ? 'probe'
          : reason,
      startedAt: this.#deps.clock.now(),
      probes,
      considered: moved ? { ...considered, moved: true } : considered,
      foreignMessages: this.#conversation.foreignMessages(chosen),
    };
  }

  /**
   * For the log row. Only the first selection needs it: later ones are explained by the attempts
   * before them.
   */
  #consider(tiers: readonly Tier[], chosen: UpstreamChannel): Consideration {
    if (this.#tried.size > 0 || isOnlyOne(tiers)) return nothingConsidered;
    return considerationOf(tiers, (channel) => {
      if (channel.id === chosen.id) return undefined;
      if (!this.#canServe(channel)) return 'capability';
      return this.#deps.health.isClear
        ? undefined
        : this.#deps.health.unavailability(channel, this.#job.model)?.kind;
    });
  }
}

function isOnlyOne(tiers: readonly Tier[]): boolean {
  return (
    tiers.length === 1 &&
    tiers[0]?.channels.length === 1 &&
    tiers[0].channels[0]?.keys === undefined
  );
}

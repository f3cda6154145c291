/**
 * Chooses the channels of one request: which one it tries next and why, and what each attempt says
 * about the channel's health. No channel is tried twice. Of a channel with several keys another key
 * is tried when only the key failed (it was refused, or is at its limit): any other failure would
 * happen again at the same address (docs/rules/routing.md).
 */

import type { BodyFields } from '../../canonical/provider.ts';
import { drawChannel, type RoutingIndex, type Tier } from '../../channels/routing-index.ts';
import type { Awaitable } from '../../cluster/cluster.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { AttemptResult, Consideration } from '../attempt.ts';
import type { RelayJob } from '../job.ts';
import type { Affinity, AffinityNames, RememberedChannel } from './affinity.ts';
import { messagesIn } from './beginning.ts';
import { type Health, isLesser, type Unavailability } from './health.ts';
import { holdingChannel } from './holder.ts';
import { causeOf, judgeFailure } from './judge-failure.ts';
import type { KeyTurns } from './key-turns.ts';
import { considerationOf, type SelectionReason } from './route-steps.ts';
import type { SlowChannels } from './slow-channels.ts';

/** What all selectors share: the channels, and what is known of them. */
export interface SelectorDeps {
  readonly routing: RoutingIndex;
  readonly clock: Pick<Clock, 'now'>;
  /** In [0, 1). */
  readonly chance: () => number;
  readonly health: Health;
  readonly affinity: Affinity;
  readonly turns: KeyTurns;
  readonly slow: SlowChannels;
}

/** What the selection depends on. */
export type RoutedRequest = Pick<
  RelayJob,
  'policy' | 'caller' | 'group' | 'pin' | 'model' | 'request' | 'continuation'
> & {
  /** What is asked of the channels, for messages. */
  readonly format: { readonly name: string };
  /** Absent: it is no conversation that could be recognised. */
  readonly body?: BodyFields;
};

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
  /** Health keys of the API keys that were tried. */
  readonly #triedKeys = new Set<string>();
  #names: AffinityNames | undefined;
  /** By which the conversation was recognised. */
  #recognised: NonNullable<Consideration['affinity']> = 'id';
  /** Where the conversation was served before. */
  #known: RememberedChannel | undefined;
  /** The channel whose last key failed alone: another of its keys is next. */
  #sameChannel: UpstreamChannel | undefined;
  #last: UpstreamChannel | undefined;

  constructor(deps: SelectorDeps, job: RoutedRequest, canServe: Capability) {
    this.#deps = deps;
    this.#job = job;
    this.#canServe = canServe;
  }

  /**
   * Undefined: no channel is left to try. Throws AppError for the first selection only:
   * channel_pin_disabled, unsupported_operation, upstream_saturated (the upstreams of all channels
   * requested a cool-down). A promise only for a first selection whose conversation is looked up
   * elsewhere: await only then, which saves the hot path a turn.
   */
  next(): Awaitable<Selection | undefined> {
    if (this.#job.pin !== undefined) return this.#pinned(this.#job.pin);
    const sibling = this.#anotherKey();
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
    // A further attempt looks nothing up.
    this.#known ??= found;
    const remembered = found === undefined ? undefined : this.#usableChannel(tiers, found);
    const faster = remembered === undefined ? undefined : this.#fasterThan(remembered, tiers);
    if (faster !== undefined)
      return this.#take(faster, this.#reasonFor(faster, tiers), this.#consider(tiers, faster));
    if (remembered !== undefined)
      return this.#take(remembered, 'affinity', {
        ...this.#consider(tiers, remembered),
        affinity: this.#recognised,
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
      this.#remember(channel);
      return;
    }
    const meaning = judgeFailure(result.failure);
    health.failed(channel, model, meaning, probes, causeOf(result.failure));
    if (!meaning.own) health.releaseProbes(probes);
    if (meaning.keyOnly && channel.keyPosition > 0) this.#sameChannel = channel;
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

  #anotherKey(): UpstreamChannel | undefined {
    const failed = this.#sameChannel;
    this.#sameChannel = undefined;
    const keys = failed === undefined ? undefined : this.#deps.routing.find(failed.id)?.keys;
    if (failed === undefined || keys === undefined) return undefined;
    const usable = this.#usableKeys(keys.enabled);
    return this.#deps.turns.choose(failed.id, keys, usable, this.#deps.chance);
  }

  #usableKeys<C extends UpstreamChannel>(keys: readonly C[]): readonly C[] {
    const untried = keys.filter((keyed) => !this.#triedKeys.has(keyed.healthKeys.at(-1) ?? ''));
    if (this.#deps.health.isClear) return untried;
    return untried.filter(
      (keyed) => this.#deps.health.unavailability(keyed, this.#job.model) === undefined,
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
      if (holder !== undefined) return this.#usableKeys([holder])[0];
    }
    return undefined;
  }

  /** Where the conversation was served before. */
  #findRemembered(tiers: readonly Tier[]): Awaitable<RememberedChannel | undefined> {
    const { affinity } = this.#job.policy;
    if (affinity === null || this.#tried.size > 0 || tiers.length === 0 || isOnlyOne(tiers))
      return undefined;
    this.#names = this.#deps.affinity.namesOf(this.#job);
    if (this.#names !== undefined) return this.#deps.affinity.find(this.#names);
    const begun = this.#deps.affinity.begunAs(this.#job);
    this.#recognised = 'beginning';
    this.#names = begun?.names;
    return begun?.continues === true ? this.#deps.affinity.find(begun.names) : undefined;
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
      return this.#usableKeys(keyed)[0] ?? channel;
    }
    return undefined;
  }

  #remember(channel: UpstreamChannel): void {
    const { affinity } = this.#job.policy;
    if (affinity !== null && this.#names !== undefined)
      this.#deps.affinity.served(this.#names, channel, affinity, this.#foreignAfter(channel));
  }

  /** Of the messages that are known to the conversation when this channel has served it. */
  #foreignAfter(channel: UpstreamChannel): number | undefined {
    if (!this.#hasMoved(channel)) return this.#known?.foreign;
    return this.#job.body === undefined ? undefined : messagesIn(this.#job.body);
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
    const chosen = this.#withKey(channel);
    this.#tried.add(chosen.id);
    this.#last = chosen;
    if (chosen.keyPosition > 0) this.#triedKeys.add(chosen.healthKeys.at(-1) ?? '');
    const probes = this.#deps.health.startProbes(chosen);
    const moved = this.#hasMoved(chosen);
    return {
      channel: chosen,
      reason:
        probes.length > 0 && reason !== 'affinity' && reason !== 'state' && reason !== 'pinned'
          ? 'probe'
          : reason,
      startedAt: this.#deps.clock.now(),
      probes,
      considered: moved ? { ...considered, moved: true } : considered,
      foreignMessages: moved ? Number.POSITIVE_INFINITY : this.#known?.foreign,
    };
  }

  /** Whether the conversation leaves the account that has its cache. */
  #hasMoved({ id, healthKeys }: UpstreamChannel): boolean {
    const known = this.#known;
    return known !== undefined && (id !== known.channelId || healthKeys.at(-1) !== known.healthKey);
  }

  #withKey(channel: UpstreamChannel): UpstreamChannel {
    const { keys } = channel;
    if (keys === undefined) return channel;
    const usable = this.#usableKeys(keys.enabled);
    // A last resort and a pin use a key in a cool-down rather than none.
    return (
      this.#deps.turns.choose(
        channel.id,
        keys,
        usable.length > 0 ? usable : keys.enabled,
        this.#deps.chance,
      ) ?? channel
    );
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

/**
 * Whether a channel may be used now: its circuit, and its cool-downs. Every process keeps its own
 * copy, which all of them change by the same events (docs/rules/routing.md#shared-health), so that
 * a selection never waits.
 */
import type { Topic } from '../../cluster/cluster.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { type BreakerState, Breakers, breakerRules, type OpenCircuit } from './breakers.ts';
import { CoolDowns } from './cool-downs.ts';
import type { HealthCondition, HealthEvent } from './health-events.ts';
import type { FailureMeaning } from './judge-failure.ts';

export interface Unavailability {
  readonly kind: 'breaker' | 'cool_down';
  /** Clock milliseconds at which it ends. */
  readonly readyAt: number;
  /** The upstream gave the time: a request now would only be refused. */
  readonly binding: boolean;
}

export class Health {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #breakers: Breakers;
  readonly #coolDowns: CoolDowns;

  constructor(clock: Pick<Clock, 'now'>, topic: Topic<HealthEvent>) {
    this.#clock = clock;
    const announce = (event: HealthEvent) => topic.publish(event);
    this.#breakers = new Breakers(clock, announce);
    this.#coolDowns = new CoolDowns(clock, announce);
    topic.subscribe((event) => this.#apply(event));
  }

  /** True: every channel may be used. */
  get isClear(): boolean {
    return this.#breakers.allClosed && this.#coolDowns.none;
  }

  /**
   * Undefined: the channel may be used for the model. One with several keys is unavailable when all
   * its keys are.
   */
  unavailability(channel: UpstreamChannel, model: string): Unavailability | undefined {
    if (channel.keys === undefined) return this.#keyUnavailability(channel, model);
    let soonest = this.#circuitUnavailability(channel.healthKeys);
    if (soonest !== undefined) return soonest;
    for (const keyed of channel.keys.enabled) {
      const found = this.#keyUnavailability(keyed, model);
      if (found === undefined) return undefined;
      if (soonest === undefined || isLesser(found, soonest)) soonest = found;
    }
    return soonest;
  }

  #keyUnavailability(channel: UpstreamChannel, model: string): Unavailability | undefined {
    const coolDown = this.#coolDowns.find(channel.healthKeys.at(-1) ?? '', model);
    if (coolDown?.requested === true)
      return { kind: 'cool_down', readyAt: coolDown.until, binding: true };
    const circuit = this.#circuitUnavailability(channel.healthKeys);
    if (circuit !== undefined || coolDown === undefined) return circuit;
    return { kind: 'cool_down', readyAt: coolDown.until, binding: false };
  }

  #circuitUnavailability(healthKeys: readonly string[]): Unavailability | undefined {
    for (const healthKey of healthKeys) {
      const openCircuit = this.#breakers.findOpen(healthKey);
      if (openCircuit !== undefined && (openCircuit.state === 'open' || openCircuit.probing))
        return { kind: 'breaker', readyAt: openCircuit.readyAt, binding: false };
    }
    return undefined;
  }

  /** The state of a channel's circuit; of one with several keys the best of them. */
  state(channel: UpstreamChannel): { readonly state: BreakerState; readonly readyAt: number } {
    return this.circuit(channel) ?? { state: 'closed', readyAt: 0 };
  }

  /** The same with its past; undefined: closed. */
  circuit(channel: UpstreamChannel): OpenCircuit | undefined {
    for (const healthKey of channel.healthKeys) {
      const openCircuit = this.#breakers.findOpen(healthKey);
      if (openCircuit !== undefined) return openCircuit;
    }
    const states = channel.keys?.enabled.map((keyed) => this.circuit(keyed)) ?? [];
    if (states.includes(undefined)) return undefined;
    return states.reduce(
      (best, one) => ((one?.readyAt ?? 0) < (best?.readyAt ?? 0) ? one : best),
      states[0],
    );
  }

  /** The models with a cool-down; a channel with several keys has one when all its keys do. */
  coolDowns(
    channel: UpstreamChannel,
  ): readonly { readonly model: string; readonly until: number }[] {
    if (channel.keys === undefined)
      return this.#coolDowns.ofHealthKey(channel.healthKeys.at(-1) ?? '');
    const [first, ...others] = channel.keys.enabled.map((keyed) => this.coolDowns(keyed));
    return (first ?? []).flatMap(({ model, until }) => {
      const times = others.map((coolDowns) => coolDowns.find((one) => one.model === model)?.until);
      return times.includes(undefined)
        ? []
        : [{ model, until: Math.min(until, ...times.map((time) => time ?? until)) }];
    });
  }

  /** Claims the probes of half-open circuits; the health keys that this request probes. */
  startProbes(channel: UpstreamChannel): readonly string[] {
    if (this.#breakers.allClosed) return [];
    return channel.healthKeys.filter((healthKey) => this.#breakers.startProbe(healthKey));
  }

  releaseProbes(probes: readonly string[]): void {
    for (const healthKey of probes) this.#breakers.releaseProbe(healthKey);
  }

  succeeded(channel: UpstreamChannel, model: string, startedAt: number): void {
    if (!this.#breakers.isEmpty)
      for (const healthKey of channel.healthKeys) this.#breakers.succeeded(healthKey, startedAt);
    this.#coolDowns.succeeded(channel.healthKeys.at(-1) ?? '', model);
  }

  /** An attempt failed, or its stream broke off. */
  failed(
    channel: UpstreamChannel,
    model: string,
    meaning: Pick<FailureMeaning, 'own' | 'coolDown'>,
    probes: readonly string[],
    cause: string,
  ): void {
    const { own, coolDown } = meaning;
    if (own)
      for (const healthKey of channel.healthKeys)
        this.#breakers.failed(healthKey, probes.includes(healthKey), cause);
    if (coolDown === undefined) return;
    this.#coolDowns.start(
      channel.healthKeys.at(-1) ?? '',
      model,
      coolDown === 'unnamed' ? undefined : coolDown,
    );
  }

  /** A test of the channel succeeded. */
  recovered(channel: UpstreamChannel): void {
    this.#breakers.close([...healthKeysOf(channel)], this.#clock.now());
  }

  /** Forgets channels that were removed, or whose address or keys were changed. */
  keep(channels: Iterable<UpstreamChannel>): void {
    if (this.#breakers.isEmpty) return;
    const healthKeys = new Set<string>();
    for (const channel of channels)
      for (const healthKey of healthKeysOf(channel)) healthKeys.add(healthKey);
    this.#breakers.keep(healthKeys);
  }

  /** What keeps traffic away from channels now, to be restored after a restart. */
  conditions(): readonly HealthCondition[] {
    return [...this.#breakers.conditions, ...this.#coolDowns.conditions];
  }

  /**
   * Restores what {@link conditions} returned earlier, perhaps in another process. What has expired
   * since is left out.
   */
  restore(conditions: readonly HealthCondition[]): void {
    const now = this.#clock.now();
    for (const condition of conditions) {
      const end =
        condition.kind === 'circuit_opened'
          ? condition.readyAt + breakerRules.memory
          : condition.until;
      if (end > now) this.#apply(condition);
    }
  }

  #apply(event: HealthEvent): void {
    switch (event.kind) {
      case 'circuit_opened':
      case 'circuit_closed':
        return this.#breakers.apply(event);
      case 'cool_down_started':
      case 'cool_down_ended':
        return this.#coolDowns.apply(event);
    }
  }

  /** Seconds, at least 1, until a moment of the clock. */
  secondsUntil(moment: number): number {
    return Math.max(1, Math.ceil((moment - this.#clock.now()) / 1000));
  }
}

function* healthKeysOf(channel: UpstreamChannel): Generator<string> {
  yield* channel.healthKeys;
  for (const keyed of channel.keys?.enabled ?? []) yield* keyed.healthKeys;
}

/** Whether the first is the smaller hindrance: not binding, or sooner over. */
export function isLesser(one: Unavailability, other: Unavailability): boolean {
  return one.binding === other.binding ? one.readyAt < other.readyAt : !one.binding;
}

/** What stands in the way of a channel now: its circuit, and the rest that its upstream asked for. */
import type { Clock } from '../../kernel/clock.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { type BreakerState, Breakers, type Tripped } from './breakers.ts';
import { CoolDowns } from './cool-downs.ts';
import type { FailureMeaning } from './judge-failure.ts';

export interface Obstacle {
  readonly kind: 'breaker' | 'cool_down';
  /** Clock milliseconds at which it goes. */
  readonly readyAt: number;
  /** The upstream said so: a request now would only be refused. */
  readonly binding: boolean;
}

export class Health {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #breakers: Breakers;
  readonly #coolDowns: CoolDowns;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#breakers = new Breakers(clock);
    this.#coolDowns = new CoolDowns(clock);
  }

  /** True: nothing stands in any channel's way. */
  get isClear(): boolean {
    return this.#breakers.allClosed && this.#coolDowns.none;
  }

  /** Undefined: the channel may be used for the model. One with several keys stands still when all its keys do. */
  obstacle(channel: UpstreamChannel, model: string): Obstacle | undefined {
    if (channel.keys === undefined) return this.#keyObstacle(channel, model);
    let soonest = this.#circuitObstacle(channel.lanes);
    if (soonest !== undefined) return soonest;
    for (const keyed of channel.keys.enabled) {
      const found = this.#keyObstacle(keyed, model);
      if (found === undefined) return undefined;
      if (soonest === undefined || isLesser(found, soonest)) soonest = found;
    }
    return soonest;
  }

  #keyObstacle(channel: UpstreamChannel, model: string): Obstacle | undefined {
    const rest = this.#coolDowns.find(channel.lanes.at(-1) ?? '', model);
    if (rest?.asked === true) return { kind: 'cool_down', readyAt: rest.until, binding: true };
    const circuit = this.#circuitObstacle(channel.lanes);
    if (circuit !== undefined || rest === undefined) return circuit;
    return { kind: 'cool_down', readyAt: rest.until, binding: false };
  }

  #circuitObstacle(lanes: readonly string[]): Obstacle | undefined {
    for (const lane of lanes) {
      const tripped = this.#breakers.tripped(lane);
      if (tripped !== undefined && (tripped.state === 'open' || tripped.probing))
        return { kind: 'breaker', readyAt: tripped.readyAt, binding: false };
    }
    return undefined;
  }

  /** The state of a channel's circuit; of one with several keys the best of them. */
  state(channel: UpstreamChannel): { readonly state: BreakerState; readonly readyAt: number } {
    return this.circuit(channel) ?? { state: 'closed', readyAt: 0 };
  }

  /** The same with its past; undefined: closed. */
  circuit(channel: UpstreamChannel): Tripped | undefined {
    for (const lane of channel.lanes) {
      const tripped = this.#breakers.tripped(lane);
      if (tripped !== undefined) return tripped;
    }
    const states = channel.keys?.enabled.map((keyed) => this.circuit(keyed)) ?? [];
    if (states.includes(undefined)) return undefined;
    return states.reduce((best, one) => ((one?.readyAt ?? 0) < (best?.readyAt ?? 0) ? one : best), states[0]);
  }

  /** The models a channel rests for; one with several keys rests when all its keys do. */
  rests(channel: UpstreamChannel): readonly { readonly model: string; readonly until: number }[] {
    if (channel.keys === undefined) return this.#coolDowns.ofLane(channel.lanes.at(-1) ?? '');
    const [first, ...others] = channel.keys.enabled.map((keyed) => this.rests(keyed));
    return (first ?? []).flatMap(({ model, until }) => {
      const times = others.map((rests) => rests.find((one) => one.model === model)?.until);
      return times.includes(undefined) ? [] : [{ model, until: Math.min(until, ...times.map((time) => time ?? until)) }];
    });
  }

  /** The lanes of half-open circuits whose one request this now is. */
  startProbes(channel: UpstreamChannel): readonly string[] {
    if (this.#breakers.allClosed) return [];
    return channel.lanes.filter((lane) => this.#breakers.startProbe(lane));
  }

  releaseProbes(probes: readonly string[]): void {
    for (const lane of probes) this.#breakers.releaseProbe(lane);
  }

  succeeded(channel: UpstreamChannel, model: string, startedAt: number): void {
    if (!this.#breakers.isEmpty) for (const lane of channel.lanes) this.#breakers.succeeded(lane, startedAt);
    this.#coolDowns.succeeded(channel.lanes.at(-1) ?? '', model);
  }

  /** What an attempt that failed, or whose stream broke off, means for the channel. */
  failed(
    channel: UpstreamChannel,
    model: string,
    meaning: Pick<FailureMeaning, 'own' | 'rest'>,
    probes: readonly string[],
    cause: string,
  ): void {
    const { own, rest } = meaning;
    if (own) for (const lane of channel.lanes) this.#breakers.failed(lane, probes.includes(lane), cause);
    if (rest === undefined) return;
    this.#coolDowns.start(channel.lanes.at(-1) ?? '', model, rest === 'unnamed' ? undefined : rest);
  }

  /** A test found it well. */
  recovered(channel: UpstreamChannel): void {
    for (const lane of [...channel.lanes, ...(channel.keys?.enabled.flatMap((keyed) => keyed.lanes) ?? [])])
      this.#breakers.forget(lane);
  }

  /** Forgets what is known of channels that are gone, or whose address or keys were changed. */
  keep(channels: Iterable<UpstreamChannel>): void {
    if (this.#breakers.isEmpty) return;
    const lanes = new Set<string>();
    for (const channel of channels) {
      for (const lane of channel.lanes) lanes.add(lane);
      for (const keyed of channel.keys?.enabled ?? []) for (const lane of keyed.lanes) lanes.add(lane);
    }
    this.#breakers.keep(lanes);
  }

  /** Seconds, at least 1, until a moment of the clock. */
  secondsUntil(moment: number): number {
    return Math.max(1, Math.ceil((moment - this.#clock.now()) / 1000));
  }
}

/** What does not bind comes first, then what goes first. */
export function isLesser(one: Obstacle, other: Obstacle): boolean {
  return one.binding === other.binding ? one.readyAt < other.readyAt : !one.binding;
}

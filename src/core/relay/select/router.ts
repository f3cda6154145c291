/** Chooses channels for requests, and reports what is known of their health. */
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { BreakerState } from './breakers.ts';
import { type Capability, ChannelSelector } from './channel-selector.ts';
import type { Unavailability } from './health.ts';
import { KeyTurns } from './key-turns.ts';
import type { RoutedRequest, SelectorDeps } from './selector-deps.ts';
import { SlowChannels } from './slow-channels.ts';

/** A channel as the router sees it now, for a model. */
export interface ChannelView {
  readonly state: BreakerState;
  /** Seconds until its circuit admits a request; 0: now. */
  readonly retryIn: number;
  /** Why it would be skipped; undefined: it would not. */
  readonly unavailability: Unavailability['kind'] | undefined;
  /** Seconds of its cool-down for the model; 0: none. */
  readonly coolingFor: number;
}

/** What keeps traffic away from a channel now. Times in Unix seconds and seconds. */
export interface ChannelHealth {
  /** Its circuit; absent: closed. `retryIn` 0: the next request probes whether it works again. */
  readonly circuit?: { readonly since: number; readonly retryIn: number; readonly cause: string };
  /** Models with a cool-down. */
  readonly cooling: readonly { readonly model: string; readonly seconds: number }[];
}

const healthyChannel: ChannelHealth = { cooling: [] };

export interface Router {
  /** `can`: which channels come into question. */
  begin(job: RoutedRequest, can: Capability): ChannelSelector;
  /** Whether the circuit of a channel keeps traffic away. */
  isCircuitOpen(channelId: number): boolean;
  channelHealth(channelId: number): ChannelHealth;
  /**
   * The same for each enabled key of a channel that has several, by fingerprint. Absent: healthy.
   */
  keyHealth(channelId: number): ReadonlyMap<string, ChannelHealth>;
  view(channel: UpstreamChannel, model: string): ChannelView;
  /** A test of the channel succeeded. */
  recovered(channelId: number): void;
  /** The routing index was rebuilt: what is known of removed or changed channels is forgotten. */
  reindexed(): void;
}

export function createRouter(shared: Omit<SelectorDeps, 'turns' | 'slow'>): Router {
  const deps: SelectorDeps = {
    ...shared,
    turns: new KeyTurns(),
    slow: new SlowChannels(shared.clock),
  };
  const { routing, health } = deps;
  const describe = (channel: UpstreamChannel): ChannelHealth => {
    const circuit = health.circuit(channel);
    return {
      ...(circuit !== undefined && {
        circuit: {
          since: Math.floor(circuit.since / 1000),
          retryIn: circuit.state === 'open' ? health.secondsUntil(circuit.readyAt) : 0,
          cause: circuit.cause,
        },
      }),
      cooling: health
        .coolDowns(channel)
        .map(({ model, until }) => ({ model, seconds: health.secondsUntil(until) })),
    };
  };
  return {
    begin: (job, can) => new ChannelSelector(deps, job, can),
    isCircuitOpen: (channelId) => {
      const channel = health.isClear ? undefined : routing.find(channelId);
      return channel !== undefined && health.state(channel).state !== 'closed';
    },
    channelHealth: (channelId) => {
      const channel = health.isClear ? undefined : routing.find(channelId);
      return channel === undefined ? healthyChannel : describe(channel);
    },
    keyHealth: (channelId) => {
      const keys = health.isClear ? [] : (routing.find(channelId)?.keys?.enabled ?? []);
      return new Map(
        keys.flatMap((key) =>
          key.keyName === undefined ? [] : [[key.keyName, describe(key)] as const],
        ),
      );
    },
    view: (channel, model) => {
      const { state, readyAt } = health.state(channel);
      const unavailability = health.unavailability(channel, model);
      return {
        state,
        retryIn: state === 'open' ? health.secondsUntil(readyAt) : 0,
        unavailability: unavailability?.kind,
        coolingFor:
          unavailability?.kind === 'cool_down' ? health.secondsUntil(unavailability.readyAt) : 0,
      };
    },
    recovered: (channelId) => {
      const channel = routing.find(channelId);
      if (channel !== undefined) health.recovered(channel);
    },
    reindexed: () => health.keep(routing.all()),
  };
}

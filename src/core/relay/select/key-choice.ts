import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { SelectorDeps } from './selector-deps.ts';

/** Which keys of channels one request has used, and which one it uses next. */
export class KeyChoice {
  readonly #deps: Pick<SelectorDeps, 'routing' | 'health' | 'turns' | 'chance'>;
  readonly #model: string;
  /** Health keys of the API keys that were tried. */
  readonly #tried = new Set<string>();
  /** The channel whose last key failed alone: another of its keys is next. */
  #sameChannel: UpstreamChannel | undefined;

  constructor(deps: Pick<SelectorDeps, 'routing' | 'health' | 'turns' | 'chance'>, model: string) {
    this.#deps = deps;
    this.#model = model;
  }

  /** Those that were not tried and are available. */
  usable<C extends UpstreamChannel>(keys: readonly C[]): readonly C[] {
    const { health } = this.#deps;
    const untried = keys.filter((keyed) => !this.#tried.has(keyed.healthKeys.at(-1) ?? ''));
    if (health.isClear) return untried;
    return untried.filter((keyed) => health.unavailability(keyed, this.#model) === undefined);
  }

  /** The channel with the key that is used now: it counts as tried from here on. */
  take(channel: UpstreamChannel): UpstreamChannel {
    const chosen = this.#withKey(channel);
    if (chosen.keyPosition > 0) this.#tried.add(chosen.healthKeys.at(-1) ?? '');
    return chosen;
  }

  /** Only the key of this channel failed, not the channel. */
  failedAlone(channel: UpstreamChannel): void {
    if (channel.keyPosition > 0) this.#sameChannel = channel;
  }

  /** Another key of the channel whose last key {@link failedAlone}, once. */
  another(): UpstreamChannel | undefined {
    const failed = this.#sameChannel;
    this.#sameChannel = undefined;
    const keys = failed === undefined ? undefined : this.#deps.routing.find(failed.id)?.keys;
    if (failed === undefined || keys === undefined) return undefined;
    return this.#deps.turns.choose(failed.id, keys, this.usable(keys.enabled), this.#deps.chance);
  }

  #withKey(channel: UpstreamChannel): UpstreamChannel {
    const { keys } = channel;
    if (keys === undefined) return channel;
    const usable = this.usable(keys.enabled);
    // A last resort and a pin use a key in a cool-down rather than none.
    const candidates = usable.length > 0 ? usable : keys.enabled;
    return this.#deps.turns.choose(channel.id, keys, candidates, this.#deps.chance) ?? channel;
  }
}

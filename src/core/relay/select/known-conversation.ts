import type { Awaitable } from '../../cluster/cluster.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { Consideration } from '../attempt.ts';
import type { Affinity, AffinityNames, RememberedChannel } from './affinity.ts';
import { messagesIn } from './beginning.ts';
import type { RoutedRequest } from './selector-deps.ts';

/** What is known of the conversation that a request goes on with (docs/rules/routing.md). */
export class KnownConversation {
  readonly #affinity: Affinity;
  readonly #job: RoutedRequest;
  #names: AffinityNames | undefined;
  #recognised: NonNullable<Consideration['affinity']> = 'id';
  #place: RememberedChannel | undefined;

  constructor(affinity: Affinity, job: RoutedRequest) {
    this.#affinity = affinity;
    this.#job = job;
  }

  /** By which the conversation was recognised. */
  get recognised(): NonNullable<Consideration['affinity']> {
    return this.#recognised;
  }

  /** Where it was served before. A promise only where that is looked up elsewhere. */
  find(): Awaitable<RememberedChannel | undefined> {
    if (this.#job.policy.affinity === null) return undefined;
    this.#names = this.#affinity.namesOf(this.#job);
    if (this.#names !== undefined) return this.#affinity.find(this.#names);
    const begun = this.#affinity.begunAs(this.#job);
    this.#recognised = 'beginning';
    this.#names = begun?.names;
    return begun?.continues === true ? this.#affinity.find(begun.names) : undefined;
  }

  /** Keeps what {@link find} found; later attempts look nothing up. */
  keep(found: RememberedChannel | undefined): void {
    this.#place ??= found;
  }

  /** Whether the conversation leaves the account that has its cache. */
  moves({ id, healthKeys }: UpstreamChannel): boolean {
    const place = this.#place;
    return place !== undefined && (id !== place.channelId || healthKeys.at(-1) !== place.healthKey);
  }

  /** As in an attempt on this channel. */
  foreignMessages(channel: UpstreamChannel): number | undefined {
    return this.moves(channel) ? Number.POSITIVE_INFINITY : this.#place?.foreign;
  }

  /** The channel has served the request: the next one of the conversation goes there, too. */
  served(channel: UpstreamChannel): void {
    const { policy, body } = this.#job;
    if (policy.affinity === null || this.#names === undefined) return;
    const seen = body === undefined ? undefined : messagesIn(body);
    const foreign = this.moves(channel) ? seen : this.#place?.foreign;
    this.#affinity.served(this.#names, channel, policy.affinity, foreign);
  }
}

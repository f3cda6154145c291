/**
 * Conversations keep their channel (docs/rules/routing.md#affinity). Remembered per user, group and
 * model, and also per family of models, so that a conversation that changes to a related model
 * stays where its signatures were made. After a failure another channel serves the request and is
 * remembered.
 */
import type { BodyFields } from '../../canonical/pass-through.ts';
import type { Awaitable, SharedValues } from '../../cluster/cluster.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { RelayJob } from '../job.ts';
import type { AffinityPolicy } from '../policy.ts';
import { affinityKey, modelFamily } from './affinity-key.ts';
import { beginningOf } from './beginning.ts';

/** The names under which a request's conversation is remembered, the exact one first. */
export type AffinityNames = readonly [string, string];

/** Values that are kept for each conversation: one per name. */
export const valuesPerConversation = 2;

/** Which channel, and which of its keys, served a conversation. */
export interface RememberedChannel {
  readonly channelId: number;
  /** The last of the channel's health keys: the one of the API key that was used. */
  readonly healthKey: string;
  /** Messages that the conversation had when it came from another account. */
  readonly foreign?: number;
}

/** What cannot be read or written counts as unknown: no request fails for it. */
const unknown = () => undefined;

export class Affinity {
  readonly #values: SharedValues<RememberedChannel>;

  /** `values` are shared by all processes. */
  constructor(values: SharedValues<RememberedChannel>) {
    this.#values = values;
  }

  /** By an id that the client sends. Undefined: it sends none. */
  namesOf(
    job: Pick<RelayJob, 'caller' | 'group' | 'model' | 'request'> & { readonly body?: BodyFields },
  ): AffinityNames | undefined {
    if (job.body === undefined) return undefined;
    const key = affinityKey(job.request.headers, job.body);
    return key === undefined ? undefined : this.#named(job, key);
  }

  /**
   * The names of a conversation whose client sends no id, and whether it goes on: the first turn
   * is free to go anywhere. Undefined: there are no turns.
   */
  begunAs(
    job: Parameters<Affinity['namesOf']>[0],
  ): { readonly names: AffinityNames; readonly continues: boolean } | undefined {
    const beginning = job.body === undefined ? undefined : beginningOf(job.body);
    if (beginning === undefined) return undefined;
    return { names: this.#named(job, `~${beginning.hash}`), continues: beginning.continues };
  }

  #named(
    { caller, group, model }: Pick<RelayJob, 'caller' | 'group' | 'model'>,
    key: string,
  ): AffinityNames {
    const scope = `${caller.userId} ${group} ${key}`;
    return [`${scope} ${model}`, `${scope} ${modelFamily(model)}*`];
  }

  /** A promise only if the values are kept elsewhere. It never rejects. */
  find([exact, family]: AffinityNames): Awaitable<RememberedChannel | undefined> {
    const found = this.#values.get(exact);
    if (found instanceof Promise)
      return found.then((channel) => channel ?? this.#values.get(family)).catch(unknown);
    if (found !== undefined) return found;
    const related = this.#values.get(family);
    return related instanceof Promise ? related.catch(unknown) : related;
  }

  /**
   * `channel` served the conversation, of which other accounts served the first `foreign` messages.
   * Writes that need I/O end later.
   */
  served(
    names: AffinityNames,
    channel: UpstreamChannel,
    policy: AffinityPolicy,
    foreign?: number,
  ): void {
    if (policy.switchOnSuccess) return this.#remember(names, channel, policy, foreign);
    const before = this.#values.get(names[0]);
    const rememberUnlessMoved = (known: RememberedChannel | undefined) => {
      if (known === undefined || known.channelId === channel.id)
        this.#remember(names, channel, policy, foreign);
    };
    if (before instanceof Promise) before.then(rememberUnlessMoved).catch(unknown);
    else rememberUnlessMoved(before);
  }

  #remember(
    names: AffinityNames,
    channel: UpstreamChannel,
    { ttl }: AffinityPolicy,
    foreign: number | undefined,
  ): void {
    const remembered: RememberedChannel = {
      channelId: channel.id,
      healthKey: channel.healthKeys.at(-1) ?? '',
      ...(foreign === undefined ? {} : { foreign }),
    };
    for (const name of names) {
      const written = this.#values.set(name, remembered, ttl);
      if (written instanceof Promise) written.catch(unknown);
    }
  }
}

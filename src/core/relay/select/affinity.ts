/**
 * Conversations keep their channel (docs/rules/routing.md#affinity). Remembered per user, group and model, and also per family
 * of models, so that a conversation that changes to a related model stays where its signatures were made. After a failure
 * another channel serves the request and is remembered.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { RelayJob } from '../job.ts';
import type { AffinityPolicy } from '../policy.ts';
import { affinityKey, modelFamily } from './affinity-key.ts';
import { AffinityMemory, type RememberedChannel } from './affinity-memory.ts';

/** The names under which a request's conversation is remembered, the exact one first. */
export type AffinityNames = readonly [string, string];

export class Affinity {
  readonly #memory: AffinityMemory;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#memory = new AffinityMemory(clock);
  }

  /** Undefined: no conversation could be recognised. */
  namesOf(job: Pick<RelayJob, 'caller' | 'group' | 'model' | 'request' | 'body'>): AffinityNames | undefined {
    const key = affinityKey(job.request.headers, job.body);
    if (key === undefined) return undefined;
    const scope = `${job.caller.userId} ${job.group} ${key}`;
    return [`${scope} ${job.model}`, `${scope} ${modelFamily(job.model)}*`];
  }

  find([exact, family]: AffinityNames): RememberedChannel | undefined {
    return this.#memory.find(exact) ?? this.#memory.find(family);
  }

  /** `channel` served the conversation. */
  served([exact, family]: AffinityNames, channel: UpstreamChannel, policy: AffinityPolicy): void {
    const before = policy.switchOnSuccess ? undefined : this.#memory.find(exact);
    if (before !== undefined && before.channelId !== channel.id) return;
    const remembered = { channelId: channel.id, healthKey: channel.healthKeys.at(-1) ?? '' };
    this.#memory.remember(exact, remembered, policy.ttl, policy.most);
    this.#memory.remember(family, remembered, policy.ttl, policy.most);
  }
}

/** Asks upstreams for the states of tasks, with the key that submitted them. */

import { ReplyFailure } from '../canonical/kit/failure.ts';
import type { ProviderOptions } from '../canonical/provider.ts';
import type { ProviderRegistry } from '../canonical/registry.ts';
import type { TaskReport } from '../canonical/task-provider.ts';
import type { Clock } from '../kernel/clock.ts';
import { Secret } from '../kernel/secret.ts';
import type { Storage } from '../storage/storage.ts';
import { channelEffects } from '../upstream/account.ts';
import { buildCall, noClient } from '../upstream/channel.ts';
import { maskError, maskOf } from '../upstream/mask.ts';
import { prepareChannel } from '../upstream/prepare-channel.ts';
import type { Upstream } from '../upstream/send.ts';
import { factsOf, type TaskRecord } from './task-record.ts';

export interface UpstreamStateDeps {
  readonly storage: Pick<Storage, 'channels'>;
  readonly providers: ProviderRegistry;
  readonly upstream: Pick<Upstream, 'collect'>;
  readonly options: () => ProviderOptions;
  readonly clock: Clock;
}

export type FoundState = readonly [TaskRecord, TaskReport];

export interface UpstreamStates {
  /**
   * The most tasks in one look; undefined: the channel is gone; 0: it cannot tell (its type was
   * changed).
   */
  batchSize(task: TaskRecord): Promise<number | undefined>;
  /**
   * States of tasks of one channel and key. Throws ReplyFailure and AppError, as
   * `TaskProvider.poll` does.
   */
  look(tasks: readonly TaskRecord[], signal?: AbortSignal): Promise<readonly FoundState[]>;
}

/** Bytes of a reply: a batch of results, each with its texts. */
const maxReplyBytes = 20 * 1024 * 1024;

export function createUpstreamStates({
  storage,
  providers,
  upstream,
  options,
  clock,
}: UpstreamStateDeps): UpstreamStates {
  const channelOf = async (task: TaskRecord) => {
    const record = await storage.channels.find(task.row.channelId);
    if (record === null) return undefined;
    const channel = prepareChannel(record, providers);
    const tasks = channel?.provider.tasks;
    return { channel, tasks: tasks?.platform === factsOf(task).platform ? tasks : undefined };
  };
  return {
    batchSize: async (task) => {
      const found = await channelOf(task);
      return found === undefined ? undefined : (found.tasks?.batchSize ?? 0);
    },
    look: async (tasks, signal) => {
      const [first] = tasks;
      if (first === undefined) return [];
      const { channel, tasks: provider } = (await channelOf(first)) ?? {};
      if (channel === undefined || provider === undefined) return [];
      const { key = '' } = factsOf(first).private;
      const keyed = key === '' ? channel : { ...channel, key: new Secret(key) };
      const call = buildCall(keyed, '', noClient, options(), clock.now());
      const effects = channelEffects(keyed, { upstream, clock }, signal, {
        maxBytes: maxReplyBytes,
      });
      const limited = {
        ...effects,
        fetch: (request: Parameters<typeof effects.fetch>[0]) =>
          effects.fetch({ timeoutMs: provider.pollTimeout, ...request }),
      };
      // A drawing that was ordered twice is one task of the upstream.
      const byUpstreamId = Map.groupBy(tasks, (task) => factsOf(task).upstreamId);
      const polled = [...byUpstreamId].map(([upstreamId, [task = first]]) => {
        return {
          upstreamId,
          action: task.row.action,
          model: factsOf(task).private.upstream_model ?? '',
        };
      });
      const mask = maskOf(keyed);
      const reports = await provider.poll(polled, call, limited).catch((error: unknown) => {
        throw error instanceof ReplyFailure
          ? new ReplyFailure(maskError(error.error, mask))
          : error;
      });
      return reports.flatMap((report) => {
        const { failReason } = report;
        const shown =
          failReason === undefined ? report : { ...report, failReason: mask(failReason) };
        return (byUpstreamId.get(report.upstreamId) ?? []).map((task): FoundState => [task, shown]);
      });
    },
  };
}

import type { Actor } from '../accounts/actor.ts';
import type { Changes } from '../kernel/changes.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Channel, Storage } from '../storage/storage.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';

export interface TestResult {
  readonly ok: boolean;
  /** For administrators; empty when it went well. Keys are masked. */
  readonly message: string;
  readonly milliseconds: number;
  /** The failure is the channel's own: AutomaticDisableChannelEnabled may switch it off. */
  readonly disables?: boolean;
}

/**
 * Sends one tiny request through a channel and writes its log row on the caller's account. `model` '' lets it choose:
 * the channel's test model, else its first (spec, console-api 6.6). Throws AppError channel_test_unsupported only.
 */
export type ChannelTester = (
  channelId: number,
  model: string,
  caller: Pick<Actor, 'id' | 'username' | 'group'>,
) => Promise<TestResult>;

export interface ChannelTestParts {
  readonly storage: Pick<Storage, 'channels' | 'locks'>;
  readonly testChannel: ChannelTester;
  readonly options: Pick<OptionStore, 'get'>;
  readonly changes: Changes;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** POLLING_INTERVAL, seconds between channels. */
  readonly pause: number;
}

export interface ChannelTests {
  /** Also records response time and test time. Throws AppError not_found. */
  test(caller: Actor, id: number, model: string): Promise<TestResult>;
  /** Starts a run over all channels that were not switched off by hand. Throws AppError channel_test_running. */
  startAll(caller: Actor): Promise<void>;
  /** Resolves when no run is under way. */
  finished(): Promise<void>;
  /** Ends a run between two channels and waits for it. */
  stop(): Promise<void>;
}

const lockName = 'channel-test';
const lockSeconds = 300;

export function createChannelTests(parts: ChannelTestParts): ChannelTests {
  const { storage, options, clock } = parts;
  const owner = parts.ids.uuid();
  const stopping = new AbortController();
  let run: Promise<void> | undefined;

  const test: ChannelTests['test'] = async (caller, id, model) => {
    if ((await storage.channels.find(id)) === null) throw new AppError('not_found');
    const result = await parts.testChannel(id, model, caller);
    await storage.channels.updateTestResult(id, Math.round(result.milliseconds), nowSeconds(clock));
    return result;
  };

  const setStatus = async (channel: Channel, to: number, reason: string): Promise<void> => {
    if (await storage.channels.setStatus(channel.id, channel.status, to, { reason, time: nowSeconds(clock) })) {
      await parts.changes.announce('channels');
      parts.logger.info({ channel: channel.id, status: to, reason }, 'a test changed the status of a channel');
    }
  };

  /** Failing or slow channels go, good ones come back, each only where its option says so (spec, console-api 6.6). */
  const judge = async (channel: Channel, result: TestResult): Promise<void> => {
    const limit = options.get('ChannelDisableThreshold');
    const slow = limit > 0 && result.milliseconds > limit * 1000;
    const bad = slow || (!result.ok && result.disables === true);
    if (bad && channel.status === channelStatuses.enabled && channel.autoBan && options.get('AutomaticDisableChannelEnabled')) {
      const reason = result.ok ? `${(result.milliseconds / 1000).toFixed(1)} s > ${limit} s` : result.message;
      await setStatus(channel, channelStatuses.autoDisabled, reason);
    } else if (
      result.ok &&
      !slow &&
      channel.status === channelStatuses.autoDisabled &&
      options.get('AutomaticEnableChannelEnabled')
    ) {
      await setStatus(channel, channelStatuses.enabled, '');
    }
  };

  const testOne = async (caller: Actor, channel: Channel): Promise<void> => {
    try {
      await judge(channel, await test(caller, channel.id, ''));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      parts.logger.info({ channel: channel.id, code: error.code }, 'a channel could not be tested');
    }
  };

  const runAll = async (caller: Actor): Promise<void> => {
    for (const channel of await storage.channels.listAll()) {
      if (channel.status === channelStatuses.disabled) continue;
      if (stopping.signal.aborted) return;
      const now = nowSeconds(clock);
      await storage.locks.acquire(lockName, owner, now, now + lockSeconds);
      await testOne(caller, channel);
      if (parts.pause > 0) await clock.sleep(parts.pause * 1000, stopping.signal);
    }
  };

  return {
    test,
    startAll: async (caller) => {
      const now = nowSeconds(clock);
      if (run !== undefined || !(await storage.locks.acquire(lockName, owner, now, now + lockSeconds))) {
        throw new AppError('channel_test_running');
      }
      run = runAll(caller)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) parts.logger.error({ error }, 'the test of all channels broke off');
        })
        .finally(async () => {
          run = undefined;
          await storage.locks.release(lockName, owner);
        });
    },
    finished: async () => {
      await run;
    },
    stop: async () => {
      stopping.abort(new Error('stopping'));
      await run;
    },
  };
}

/**
 * Tests of single channels and of all channels in sequence (docs/rules/routing.md#channel-tests).
 */

import type { Changes } from '../cluster/changes.ts';
import type { Leases } from '../cluster/cluster.ts';
import { type Language, translate } from '../i18n/translate.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ChannelNotices } from '../notices/channel-notices.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Channel, Storage } from '../storage/storage.ts';
import type { EndpointType } from '../vocabulary/endpoint-types.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { RunProgress, type RunReport } from './run-progress.ts';

export interface TestResult {
  readonly ok: boolean;
  /** The error in the caller's language, keys masked; empty on success. */
  readonly message: string;
  readonly milliseconds: number;
  /** The channel itself caused the failure, so AutomaticDisableChannelEnabled may disable it. */
  readonly disables?: boolean;
  /** The key that was used, if the channel has other enabled keys. */
  readonly keyName?: string;
}

export interface TestRequest {
  /** '': the channel's test model, else its first. */
  readonly model: string;
  /** Undefined: chosen by the model. */
  readonly endpoint?: EndpointType;
  readonly stream: boolean;
  /** The fingerprint of the key to test, also of a disabled one; absent: the first enabled. */
  readonly keyName?: string;
  readonly caller: Pick<Actor, 'id' | 'username' | 'group'>;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/**
 * Sends one tiny request through a channel and writes its log row on the caller's account. Throws
 * AppError not_found (also for a key that the channel does not have), channel_test_unsupported only.
 */
export type ChannelTester = (channelId: number, request: TestRequest) => Promise<TestResult>;

export interface ChannelTestDeps {
  readonly storage: Pick<Storage, 'channels'>;
  readonly leases: Leases;
  readonly testChannel: ChannelTester;
  readonly options: Pick<OptionStore, 'get'>;
  readonly notices: ChannelNotices;
  readonly changes: Changes;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The language of stored texts and of notices to the owner. */
  readonly siteLanguage: () => Language;
  /** POLLING_INTERVAL, seconds between channels. */
  readonly pause: number;
}

export interface ChannelTests {
  /**
   * Tests a channel and stores its response time, test time and failure. Throws AppError not_found,
   * channel_test_unsupported.
   */
  test(
    caller: Actor,
    id: number,
    request: Pick<TestRequest, 'model' | 'endpoint' | 'stream' | 'language'>,
  ): Promise<TestResult>;
  /**
   * Tests one key of a channel and stores nothing: it says nothing about the channel's others.
   * Throws AppError not_found, channel_test_unsupported.
   */
  testKey(
    caller: Actor,
    id: number,
    request: Required<Pick<TestRequest, 'keyName' | 'model' | 'language'>>,
  ): Promise<TestResult>;
  /**
   * Starts a run over all channels that were not disabled by hand. Throws AppError
   * channel_test_running.
   */
  startAll(caller: Actor): Promise<void>;
  /**
   * Starts a run over these channels: it changes no status and notifies nobody. Throws AppError
   * channel_test_running.
   */
  startSome(caller: Actor, ids: readonly number[]): Promise<void>;
  report(): RunReport;
  /** Resolves when no run is active. */
  finished(): Promise<void>;
  /**
   * Ends this process's run, if there is one: aborts the test under way, tests no more channels,
   * and waits for the end.
   */
  cancelRun(): Promise<void>;
  /** Aborts every test and waits for the run. */
  stop(): Promise<void>;
}

const leaseName = 'channel-test';
/**
 * Seconds, in addition to the pause, that one channel may take before another process may start a
 * run.
 */
const leaseSeconds = 300;

export function createChannelTests(deps: ChannelTestDeps): ChannelTests {
  const { storage, options, notices, clock } = deps;
  const owner = deps.ids.uuid();
  const stopping = new AbortController();
  const progress = new RunProgress(clock);
  let run: Promise<void> | undefined;
  let cancelling = new AbortController();

  /** The failure of an aborted test says nothing about the channel and is not stored. */
  const testAndStore = async (id: number, request: TestRequest): Promise<TestResult> => {
    const result = await deps.testChannel(id, request);
    if (!result.ok && request.signal.aborted) return result;
    const error = result.ok ? '' : result.message;
    await storage.channels.updateTestResult(
      id,
      Math.round(result.milliseconds),
      nowSeconds(clock),
      error,
    );
    return result;
  };

  const setStatus = async (channel: Channel, to: number, reason: string): Promise<boolean> => {
    const note = { reason, time: nowSeconds(clock) };
    if (!(await storage.channels.setStatus(channel.id, channel.status, to, note))) return false;
    await deps.changes.announce('channels', channel.id);
    deps.logger.info(
      { channel: channel.id, status: to, reason },
      'a test changed the status of a channel',
    );
    return true;
  };

  /** Disables one failing key and leaves the channel's other keys enabled. */
  const disableKey = async (channel: Channel, keyName: string, reason: string): Promise<void> => {
    await storage.channels.disableKey(channel.id, keyName, { reason, time: nowSeconds(clock) });
    await deps.changes.announce('channels', channel.id);
    deps.logger.info({ channel: channel.id, reason }, 'a test disabled a key of a channel');
  };

  /** Why the channel should be disabled after this result; undefined: it should not. */
  const failureOf = (result: TestResult): string | undefined => {
    const limit = options.get('ChannelDisableThreshold');
    if (!result.ok && result.disables === true) return result.message;
    if (limit === 0 || result.milliseconds <= limit * 1000) return undefined;
    const time = (result.milliseconds / 1000).toFixed(2);
    return translate(deps.siteLanguage(), 'reason.slow', { time, limit: limit.toFixed(2) });
  };

  /** Disables failing or slow channels and enables recovered ones, as far as the options allow. */
  const judge = async (channel: Channel, result: TestResult): Promise<void> => {
    const failure = failureOf(result);
    if (failure !== undefined) {
      const mayDisable = channel.status === channelStatuses.enabled && channel.autoBan;
      if (!mayDisable || !options.get('AutomaticDisableChannelEnabled')) return;
      if (result.disables === true && result.keyName !== undefined)
        return disableKey(channel, result.keyName, failure);
      if (await setStatus(channel, channelStatuses.autoDisabled, failure))
        notices.disabled(channel, failure);
    } else if (
      result.ok &&
      channel.status === channelStatuses.autoDisabled &&
      options.get('AutomaticEnableChannelEnabled')
    ) {
      if (await setStatus(channel, channelStatuses.enabled, '')) notices.enabled(channel);
    }
  };

  const testOne = async (
    caller: Actor,
    channel: Channel,
    judged: boolean,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      const request = { model: '', stream: false, language: deps.siteLanguage(), caller, signal };
      const result = await testAndStore(channel.id, request);
      if (!result.ok && signal.aborted) return;
      if (judged) await judge(channel, result);
      progress.step(result.ok);
    } catch (error) {
      if (signal.aborted) return;
      progress.skip();
      const known = error instanceof AppError ? { code: error.code } : { error };
      deps.logger.info({ channel: channel.id, ...known }, 'a channel could not be tested');
    }
  };

  const takeLease = (): Promise<boolean> =>
    deps.leases.acquire(leaseName, owner, (deps.pause + leaseSeconds) * 1000);
  /**
   * Until the next channel is tested. A failure does not end the run: the lease may still be held,
   * and is renewed again.
   */
  const renewLease = async (): Promise<void> => {
    await takeLease().catch((error: unknown) =>
      deps.logger.warn({ error }, 'the lease of a run of tests could not be renewed'),
    );
  };

  const channelsOf = async (ids: readonly number[] | undefined): Promise<readonly Channel[]> => {
    if (ids !== undefined) return storage.channels.findMany(ids);
    return (await storage.channels.listAll()).filter(
      ({ status }) => status !== channelStatuses.disabled,
    );
  };
  const runAll = async (
    caller: Actor,
    ids: readonly number[] | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    const tested = await channelsOf(ids);
    progress.expect(tested.length);
    for (const channel of tested) {
      if (signal.aborted) return;
      await renewLease();
      await testOne(caller, channel, ids === undefined, signal);
      if (deps.pause > 0) await clock.sleep(deps.pause * 1000, signal);
    }
    if (ids === undefined && !signal.aborted) notices.testFinished();
  };

  const runLocked = async (
    caller: Actor,
    ids: readonly number[] | undefined,
    locked: Promise<boolean>,
  ): Promise<void> => {
    // `start` reports to its caller that the lease was not available.
    if (!(await locked.catch(() => false))) return;
    const signal = AbortSignal.any([stopping.signal, cancelling.signal]);
    progress.start();
    try {
      await runAll(caller, ids, signal);
    } catch (error) {
      if (!signal.aborted) deps.logger.error({ error }, 'the test of all channels failed');
    } finally {
      progress.end();
      await deps.leases.release(leaseName, owner);
    }
  };

  const start = async (caller: Actor, ids?: readonly number[]): Promise<void> => {
    if (run !== undefined) throw new AppError('channel_test_running');
    // The run is registered before the lease is acquired, so that a concurrent call cannot start
    // another run.
    const locked = takeLease();
    cancelling = new AbortController();
    run = runLocked(caller, ids, locked).finally(() => {
      run = undefined;
    });
    if (!(await locked)) throw new AppError('channel_test_running');
  };

  return {
    test: (caller, id, request) =>
      testAndStore(id, { ...request, caller, signal: stopping.signal }),
    testKey: (caller, id, request) =>
      deps.testChannel(id, { ...request, stream: false, caller, signal: stopping.signal }),
    startAll: (caller) => start(caller),
    startSome: (caller, ids) => start(caller, ids),
    report: () => progress.report,
    finished: async () => {
      await run;
    },
    cancelRun: async () => {
      cancelling.abort(new Error('cancelled'));
      await run;
    },
    stop: async () => {
      stopping.abort(new Error('stopping'));
      await run;
    },
  };
}

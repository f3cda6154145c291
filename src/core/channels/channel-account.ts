import type { Changes } from '../cluster/changes.ts';
import type { Leases } from '../cluster/cluster.ts';
import { type Language, translate } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { Secret } from '../kernel/secret.ts';
import type { FoundModel } from '../models/sources/found-model.ts';
import type { ChannelNotices } from '../notices/channel-notices.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Channel, Storage } from '../storage/storage.ts';
import type { ChannelRecord } from '../upstream/channel.ts';
import type { UpstreamBalance } from '../vocabulary/balances.ts';
import { fixedModels } from '../vocabulary/fixed-models.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { RunProgress, type RunReport } from './run-progress.ts';

/**
 * Calls about a channel's account at its upstream, and to addresses. All throw AppError with the upstream's message,
 * keys masked.
 */
export interface AccountCalls {
  listModels(channel: ChannelRecord): Promise<readonly string[]>;
  /** Empty: the upstream says nothing of its models. */
  describeModels(channel: ChannelRecord): Promise<readonly FoundModel[]>;
  /** The text at an address, through a proxy if one is named. */
  fetchText(url: string, proxy: string | undefined): Promise<string>;
  /** `amount` is decimal text. */
  readBalance(
    channel: ChannelRecord,
    signal: AbortSignal,
  ): Promise<{ readonly amount: string; readonly currency: string }>;
}

export interface ChannelAccountDeps {
  readonly storage: Pick<Storage, 'channels' | 'losses'>;
  readonly leases: Leases;
  readonly calls: AccountCalls;
  readonly options: Pick<OptionStore, 'get'>;
  readonly notices: Pick<ChannelNotices, 'disabled'>;
  readonly changes: Changes;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The language of stored texts and of notices to the owner. */
  readonly siteLanguage: () => Language;
  /** POLLING_INTERVAL, seconds between channels. */
  readonly pause: number;
}

/** The fields of an unsaved channel that are needed to list its models. */
export type ChannelDraft = Pick<ChannelRecord, 'type' | 'baseUrl' | 'other' | 'setting'> & {
  readonly key: string;
};

/** Model lists and balances from upstreams (docs/rules/channels.md#account-calls). */
export interface ChannelAccounts {
  listModels(id: number): Promise<readonly string[]>;
  /** Lists the models of an unsaved channel. Only the first line of the key is used. */
  previewModels(draft: ChannelDraft): Promise<readonly string[]>;
  /**
   * Reads and stores the balance. It is a plain number, because it is not part of our accounting.
   */
  updateBalance(id: number): Promise<UpstreamBalance>;
  /**
   * Updates all enabled channels in the background. Does nothing while a run is active on any node.
   */
  startAllBalances(): void;
  report(): RunReport;
  /** Resolves when no run is active. */
  finished(): Promise<void>;
  /**
   * Ends this process's run, if there is one: aborts the reading under way, reads no more balances,
   * and waits for the end.
   */
  cancelRun(): Promise<void>;
  stop(): Promise<void>;
}

const leaseName = 'channel-balance';
/** Seconds, in addition to the pause, that one channel may take. */
const leaseSeconds = 300;

export function createChannelAccounts(deps: ChannelAccountDeps): ChannelAccounts {
  const { storage, calls, clock } = deps;
  const owner = deps.ids.uuid();
  const stopping = new AbortController();
  const progress = new RunProgress(clock);
  let run: Promise<void> | undefined;
  let cancelling = new AbortController();

  const find = async (id: number): Promise<Channel> => {
    const channel = await storage.channels.find(id);
    if (channel === null) throw new AppError('not_found');
    return channel;
  };

  const listModels = async (channel: ChannelRecord): Promise<readonly string[]> =>
    fixedModels(channel.type) ?? calls.listModels(channel);

  const store = async (channel: Channel, signal: AbortSignal): Promise<UpstreamBalance> => {
    const reported = await calls.readBalance(channel, signal);
    const balance = { amount: Number(reported.amount), currency: reported.currency };
    // An unreadable balance must not count as 0.
    if (reported.amount.trim() === '' || !Number.isFinite(balance.amount)) {
      throw new AppError('bad_response_body', { detail: 'no balance in it' });
    }
    const readAt = nowSeconds(clock);
    await storage.channels.updateBalance(channel.id, balance, readAt);
    await storage.losses.addReading({ channelId: channel.id, readAt, ...balance });
    return balance;
  };

  /**
   * Disables a channel whose account is empty, if both the channel and the site allow it
   * (docs/rules/routing.md#empty-balance).
   */
  const judge = async (channel: Channel, { amount }: UpstreamBalance): Promise<void> => {
    if (amount > 0 || !channel.autoBan || !deps.options.get('AutomaticDisableChannelEnabled'))
      return;
    const reason = translate(deps.siteLanguage(), 'reason.balance');
    const note = { reason, time: nowSeconds(clock) };
    if (
      !(await storage.channels.setStatus(
        channel.id,
        channelStatuses.enabled,
        channelStatuses.autoDisabled,
        note,
      ))
    )
      return;
    await deps.changes.announce('channels', channel.id);
    deps.notices.disabled(channel, reason);
  };

  const readOne = async (channel: Channel, signal: AbortSignal): Promise<void> => {
    try {
      await judge(channel, await store(channel, signal));
      progress.step(true);
    } catch (error) {
      // An aborted reading says nothing about the channel.
      if (signal.aborted) return;
      progress.step(false);
      const known = error instanceof AppError ? { code: error.code } : { error };
      deps.logger.info(
        { channel: channel.id, ...known },
        'the balance of a channel could not be read',
      );
    }
  };

  const takeLease = (): Promise<boolean> =>
    deps.leases.acquire(leaseName, owner, (deps.pause + leaseSeconds) * 1000);

  const readAll = async (signal: AbortSignal): Promise<void> => {
    progress.start();
    if (!(await takeLease())) return progress.end();
    try {
      const enabled = await storage.channels.listAllEnabled();
      progress.expect(enabled.length);
      for (const channel of enabled) {
        if (signal.aborted) return;
        // The lease may still be held, and is renewed again.
        await takeLease().catch((error: unknown) =>
          deps.logger.warn({ error }, 'the lease of a run could not be renewed'),
        );
        await readOne(channel, signal);
        if (deps.pause > 0) await clock.sleep(deps.pause * 1000, signal);
      }
    } finally {
      progress.end();
      await deps.leases.release(leaseName, owner);
    }
  };

  return {
    listModels: async (id) => listModels(await find(id)),
    previewModels: (draft) => listModels(draftChannel(draft)),
    updateBalance: async (id) => store(await find(id), stopping.signal),
    startAllBalances: () => {
      if (run !== undefined) return;
      cancelling = new AbortController();
      const signal = AbortSignal.any([stopping.signal, cancelling.signal]);
      run = readAll(signal)
        .catch((error: unknown) => {
          if (!signal.aborted) deps.logger.error({ error }, 'reading all balances broke off');
        })
        .finally(() => {
          run = undefined;
        });
    },
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

function firstLine(key: string): string {
  return key.trim().split('\n')[0]?.trim() ?? '';
}

function draftChannel({ type, baseUrl, key, other, setting }: ChannelDraft): ChannelRecord {
  return {
    id: 0,
    type,
    name: '',
    key: new Secret(key.trimStart().startsWith('{') ? key.trim() : firstLine(key)),
    baseUrl: baseUrl.trim().replace(/\/+$/, ''),
    openaiOrganization: '',
    other: other.trim(),
    models: '',
    group: '',
    modelMapping: '',
    statusCodeMapping: '',
    setting,
    paramOverride: '',
    cost: '',
    priority: 0,
    weight: 0,
    autoBan: false,
    tag: '',
    otherInfo: '',
  };
}

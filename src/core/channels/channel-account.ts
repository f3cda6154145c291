import type { Changes } from '../cluster/changes.ts';
import type { Leases } from '../cluster/cluster.ts';
import { type Language, translate } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { Secret } from '../kernel/secret.ts';
import type { ChannelNotices } from '../notices/channel-notices.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Channel, Storage } from '../storage/storage.ts';
import type { ChannelRecord } from '../upstream/channel.ts';
import type { UpstreamBalance } from '../vocabulary/balances.ts';
import { fixedModels } from '../vocabulary/fixed-models.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { RunProgress, type RunReport } from './run-progress.ts';

/** Calls about a channel's account at its upstream. Both throw AppError with what the upstream said, keys masked. */
export interface AccountCalls {
  listModels(channel: ChannelRecord): Promise<readonly string[]>;
  /** `amount` is decimal text. */
  readBalance(channel: ChannelRecord): Promise<{ readonly amount: string; readonly currency: string }>;
}

export interface ChannelAccountDeps {
  readonly storage: Pick<Storage, 'channels'>;
  readonly leases: Leases;
  readonly calls: AccountCalls;
  readonly options: Pick<OptionStore, 'get'>;
  readonly notices: Pick<ChannelNotices, 'disabled'>;
  readonly changes: Changes;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The language of what is stored and sent to the owner. */
  readonly siteLanguage: () => Language;
  /** POLLING_INTERVAL, seconds between channels. */
  readonly pause: number;
}

/** What tells where the models of a channel are listed that is not stored yet. */
export type ChannelDraft = Pick<ChannelRecord, 'type' | 'baseUrl' | 'other' | 'setting'> & { readonly key: string };

/** Model lists and balances from upstreams (docs/rules/channels.md#account-calls). */
export interface ChannelAccounts {
  listModels(id: number): Promise<readonly string[]>;
  /** For the form of a channel that is not stored yet; the first line of the key counts. */
  previewModels(draft: ChannelDraft): Promise<readonly string[]>;
  /** Reads and stores it. A number because the column is a reading, not money of ours. */
  updateBalance(id: number): Promise<UpstreamBalance>;
  /** All enabled channels, in the background; does nothing while a run goes on, here or on another node. */
  startAllBalances(): void;
  report(): RunReport;
  /** Resolves when no run is under way. */
  finished(): Promise<void>;
  stop(): Promise<void>;
}

const leaseName = 'channel-balance';
/** Seconds beyond the pause that one channel may take. */
const leaseSeconds = 300;

export function createChannelAccounts(deps: ChannelAccountDeps): ChannelAccounts {
  const { storage, calls, clock } = deps;
  const owner = deps.ids.uuid();
  const stopping = new AbortController();
  const progress = new RunProgress(clock);
  let run: Promise<void> | undefined;

  const find = async (id: number): Promise<Channel> => {
    const channel = await storage.channels.find(id);
    if (channel === null) throw new AppError('not_found');
    return channel;
  };

  const listModels = async (channel: ChannelRecord): Promise<readonly string[]> =>
    fixedModels(channel.type) ?? calls.listModels(channel);

  const store = async (channel: Channel): Promise<UpstreamBalance> => {
    const told = await calls.readBalance(channel);
    const balance = { amount: Number(told.amount), currency: told.currency };
    // What is not understood is not taken for an empty account.
    if (told.amount.trim() === '' || !Number.isFinite(balance.amount)) {
      throw new AppError('bad_response_body', { detail: 'no balance in it' });
    }
    await storage.channels.updateBalance(channel.id, balance, nowSeconds(clock));
    return balance;
  };

  /** An empty account ends its channel where both switches allow it (docs/rules/routing.md#empty-balance). */
  const judge = async (channel: Channel, { amount }: UpstreamBalance): Promise<void> => {
    if (amount > 0 || !channel.autoBan || !deps.options.get('AutomaticDisableChannelEnabled')) return;
    const reason = translate(deps.siteLanguage(), 'reason.balance');
    const note = { reason, time: nowSeconds(clock) };
    if (!(await storage.channels.setStatus(channel.id, channelStatuses.enabled, channelStatuses.autoDisabled, note))) return;
    await deps.changes.announce('channels');
    deps.notices.disabled(channel, reason);
  };

  const readOne = async (channel: Channel): Promise<void> => {
    try {
      await judge(channel, await store(channel));
      progress.step(true);
    } catch (error) {
      progress.step(false);
      const known = error instanceof AppError ? { code: error.code } : { error };
      deps.logger.info({ channel: channel.id, ...known }, 'the balance of a channel could not be read');
    }
  };

  const takeLease = (): Promise<boolean> => deps.leases.acquire(leaseName, owner, (deps.pause + leaseSeconds) * 1000);

  const readAll = async (): Promise<void> => {
    progress.start();
    if (!(await takeLease())) return progress.end();
    try {
      const enabled = await storage.channels.listAllEnabled();
      progress.expect(enabled.length);
      for (const channel of enabled) {
        if (stopping.signal.aborted) return;
        await takeLease();
        await readOne(channel);
        if (deps.pause > 0) await clock.sleep(deps.pause * 1000, stopping.signal);
      }
    } finally {
      progress.end();
      await deps.leases.release(leaseName, owner);
    }
  };

  return {
    listModels: async (id) => listModels(await find(id)),
    previewModels: (draft) => listModels(draftChannel(draft)),
    updateBalance: async (id) => store(await find(id)),
    startAllBalances: () => {
      run ??= readAll()
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) deps.logger.error({ error }, 'reading all balances broke off');
        })
        .finally(() => {
          run = undefined;
        });
    },
    report: () => progress.report,
    finished: async () => {
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
    priority: 0,
    weight: 0,
    autoBan: false,
    tag: '',
    otherInfo: '',
  };
}

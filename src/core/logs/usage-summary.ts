/**
 * What the dashboard shows: usage by span and model, balances, margins. All of it from sums that
 * are kept as requests settle.
 */
import type { FileOutput } from '../contract/endpoint.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { addQuota } from '../kernel/quota.ts';
import type { OptionStore } from '../site/option-store.ts';
import type {
  Channel,
  ChannelMargin,
  MarginSum,
  OutcomeSums,
  QuotaData,
  Spans,
  Storage,
  TimeRange,
} from '../storage/storage.ts';
import { type ActivityRequest, activityFile } from './activity.ts';
import { createTagUsage, type TagUsageService } from './tag-usage.ts';
import type { Granularity } from './time-spans.ts';
import {
  byModel,
  type ModelUsage,
  type SummaryRange,
  spansOf as spansIn,
  sum,
  type Totals,
  total,
  type UsageOf,
} from './usage-spans.ts';

export type { MarginSum };

export interface UsageSummaryDeps {
  readonly storage: Pick<
    Storage,
    'quotaData' | 'requestOutcomes' | 'channels' | 'users' | 'ledger' | 'logs'
  >;
  readonly options: Pick<OptionStore, 'get'>;
  readonly clock: Clock;
}

export interface UsageSummary {
  readonly by: Granularity;
  readonly starts: readonly number[];
  /** The largest quota first. */
  readonly models: readonly ModelUsage[];
  readonly totals: Totals;
  /** Of the range of the same length before. */
  readonly before: Totals;
  readonly outcomes: OutcomeSums;
  /** The user's balance when the first span began, and at the end of each; null for all users. */
  readonly balance: { readonly opening: number; readonly closing: readonly number[] } | null;
}

export interface ChannelMargins extends MarginSum {
  readonly channelId: number;
  /** Undefined: the channel was deleted, or is not known. */
  readonly channel: Pick<Channel, 'name' | 'type' | 'cost'> | undefined;
  /** The largest quota first. */
  readonly models: readonly ChannelMargin[];
}

export interface MarginSummary {
  readonly by: Granularity;
  readonly starts: readonly number[];
  /** The largest quota first. */
  readonly channels: readonly ChannelMargins[];
  readonly totals: MarginSum;
  /** One per span. */
  readonly spans: readonly MarginSum[];
}

export interface UsageSummaryService extends TagUsageService {
  /** Raw hourly rows of one user, or the site's sums by model and hour. */
  hourly(range: TimeRange, of: UsageOf): Promise<readonly QuotaData[]>;
  /**
   * The same of one user for at most a month, by default the last one. Throws AppError
   * range_too_long.
   */
  hourlyOf(userId: number, range: TimeRange): Promise<readonly QuotaData[]>;
  /** Throws AppError range_too_long, invalid_parameter. */
  summary(range: SummaryRange, of: UsageOf): Promise<UsageSummary>;
  /** Charges by day, token and model. Throws AppError range_too_long, invalid_parameter. */
  activity(request: ActivityRequest): Promise<FileOutput>;
  /** Throws AppError range_too_long, invalid_parameter. */
  margins(range: SummaryRange): Promise<MarginSummary>;
}

const hour = 3600;
const day = 24 * hour;
/**
 * A month of 31 days and the hour that the console's default range adds
 * (docs/rules/usage-logs.md#hourly-range).
 */
const longestOwn = 31 * day + hour;
/** Ten years: of days without a charge nothing is read but an index. */
const mostDays = 3660;

export function createUsageSummary({
  storage,
  options,
  clock,
}: UsageSummaryDeps): UsageSummaryService {
  const spansOf = (range: SummaryRange) =>
    spansIn(range, nowSeconds(clock), options.get('DataExportDefaultTime'));

  /** The user who bears a name now; rows of one who no longer exists are found by the name. */
  const resolve = async ({ userId, username = '' }: UsageOf): Promise<UsageOf> => {
    if (userId !== undefined || username === '') return { userId };
    const user = await storage.users.findByUsername(username);
    return user === null ? { username } : { userId: user.id };
  };

  const balanceOf = async (
    userId: number | undefined,
    { starts, end }: Spans,
  ): Promise<UsageSummary['balance']> => {
    if (userId === undefined) return null;
    const passed = starts.filter((start) => start <= nowSeconds(clock));
    const [opening = 0, ...closing] = await storage.ledger.balancesAt(userId, [...passed, end]);
    return { opening, closing };
  };

  return {
    ...createTagUsage({ storage, spansOf, resolve }),
    hourly: async (range, of) => {
      const whose = await resolve(of);
      const isSite = whose.userId === undefined && whose.username === undefined;
      return isSite
        ? storage.quotaData.listSums(range)
        : storage.quotaData.list({ ...range, ...whose });
    },
    hourlyOf: async (userId, { to = nowSeconds(clock), from = to - longestOwn }) => {
      if (to - from > longestOwn) throw new AppError('range_too_long', { days: 31 });
      return storage.quotaData.list({ from, to, userId });
    },
    summary: async (range, of) => {
      const spans = spansOf(range);
      const whose = await resolve(of);
      const [begin = spans.end] = spans.starts;
      const earlier = { starts: [begin - (spans.end - begin)], end: begin };
      const [rows, rowsBefore, outcomes, balance] = await Promise.all([
        storage.quotaData.listSpans(spans, whose),
        storage.quotaData.listSpans(earlier, whose),
        storage.requestOutcomes.sum({ userId: whose.userId, from: begin, to: spans.end - 1 }),
        balanceOf(whose.userId, spans),
      ]);
      const models = byModel(rows, spans.starts);
      return {
        by: spans.by,
        starts: spans.starts,
        models,
        totals: total(rows),
        before: total(rowsBefore),
        outcomes,
        balance,
      };
    },
    activity: (request) =>
      activityFile(
        {
          storage,
          resolve,
          daysOf: (range) => spansIn({ ...range, by: 'day' }, nowSeconds(clock), 'day', mostDays),
          quotaPerUnit: () => options.get('QuotaPerUnit'),
        },
        request,
      ),
    margins: async (range) => {
      const spans = spansOf(range);
      const [rows, bySpan, channels] = await Promise.all([
        storage.quotaData.listMargins(spans),
        storage.quotaData.listMarginSpans(spans),
        storage.channels.listAll(),
      ]);
      const known = new Map(channels.map((channel) => [channel.id, channel]));
      const ids = [...new Set(rows.map(({ channelId }) => channelId))];
      const ofStart = new Map(bySpan.map((sum) => [sum.start, sum]));
      return {
        by: spans.by,
        starts: spans.starts,
        channels: ids
          .map((channelId): ChannelMargins => {
            const models = rows.filter((row) => row.channelId === channelId).sort(costliestFirst);
            return { channelId, channel: known.get(channelId), models, ...totalMargin(models) };
          })
          .sort(costliestFirst),
        totals: totalMargin(rows),
        spans: spans.starts.map((start) => totalMargin([ofStart.get(start) ?? noMargin])),
      };
    },
  };
}

const costliestFirst = (one: MarginSum, other: MarginSum) =>
  other.quota - one.quota || other.count - one.count;

const noMargin: MarginSum = totalMargin([]);

function totalMargin(rows: readonly MarginSum[]): MarginSum {
  return {
    count: sum(rows, (row) => row.count),
    quota: addQuota(...rows.map((row) => row.quota)),
    tokenUsed: sum(rows, (row) => row.tokenUsed),
    cost: sum(rows, (row) => row.cost),
    costedCount: sum(rows, (row) => row.costedCount),
    costedQuota: addQuota(...rows.map((row) => row.costedQuota)),
  };
}

import type { RowOf } from '../../entities/field.ts';
import type { FilterValues } from '../../entities/filters.ts';
import type { logFields } from '../../entities/log.ts';
import type { logFilters } from '../../entities/log-filters.ts';
import type { Quota } from '../../kernel/quota.ts';
import type { RolledCharge } from '../ledger/rollups.ts';
import type { Listing, PageRequest, TimeRange } from './listing.ts';

/** A row of `logs` (docs/rules/usage-logs.md#log-row). */
export type UsageLog = RowOf<typeof logFields>;

/**
 * Rows of type 2 (consumption) are written by the ledger together with their posting; all others by
 * `insert`.
 */
export type NewUsageLog = Pick<UsageLog, 'userId' | 'createdAt' | 'type' | 'content'> &
  Partial<UsageLog>;

/** The declared filters, and those that only the program itself uses. */
export type LogFilter = FilterValues<typeof logFilters> & {
  readonly userId?: number;
  /** One of these users. */
  readonly userIds?: readonly number[];
  readonly tokenId?: number;
};

export interface LogStatistics {
  /** Σ quota of type 2 in the range. */
  readonly quota: number;
  /** Rows of type 2 in the 60 s before `now`, regardless of the range. */
  readonly rpm: number;
  /** Prompt and completion tokens of the rows counted in `rpm`. */
  readonly tpm: number;
}

/** What one token of a user was charged for one model. */
export interface ActivitySum {
  readonly userId: number;
  /** The names as they were then. */
  readonly username: string;
  /** 0: the playground. */
  readonly tokenId: number;
  readonly tokenName: string;
  readonly modelName: string;
  readonly count: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly quota: Quota;
}

export interface LogRepository {
  /**
   * Newest first. `total` is exact, except while more than {@link LogRepository.totalCap} rows of
   * the time range and user are not summed by day yet. Then only the newest of them are counted,
   * and `total` is always large enough to offer the next page.
   */
  page(filter: LogFilter, page: PageRequest): Promise<Listing<UsageLog>>;
  readonly totalCap: number;
  /**
   * The next rows after `after` (absent: from the newest on), newest first: takes as long deep in
   * the table as at its end.
   */
  listBefore(
    filter: LogFilter,
    after: Pick<UsageLog, 'createdAt' | 'id'> | undefined,
    limit: number,
  ): Promise<readonly UsageLog[]>;
  /** `type` is ignored (docs/rules/usage-logs.md#log-statistics). `now` in Unix seconds. */
  stat(filter: LogFilter, now: number): Promise<LogStatistics>;
  /**
   * Newest first. Matches the type (a number) or the start of the content (if `content` is
   * allowed).
   */
  search(
    keyword: string,
    scope: { readonly userId?: number; readonly content: boolean },
    limit: number,
  ): Promise<readonly UsageLog[]>;
  find(id: number): Promise<UsageLog | null>;
  /** Charges by user, token and model, the largest quota first. `type` is ignored. */
  activity(filter: LogFilter): Promise<readonly ActivitySum[]>;
  /** When the first of these charges was made; undefined: there is none. */
  firstCharge(filter: LogFilter): Promise<number | undefined>;
  /**
   * The rows that were written with these postings, in no order; read by user and time, which are
   * those of the posting.
   */
  ofPostings(
    postings: readonly {
      readonly id: number;
      readonly userId: number;
      readonly createdAt: number;
    }[],
  ): Promise<readonly UsageLog[]>;
  /**
   * Rows with a larger id, id ascending, for the live tail. An id beyond the newest counts as the
   * newest.
   */
  listSince(id: number, limit: number, filter?: LogFilter): Promise<readonly UsageLog[]>;
  /** 0 when empty. */
  newestId(): Promise<number>;
  /** Returns the new id. */
  insert(log: NewUsageLog): Promise<number>;
  /** All or none, in the order given. */
  insertMany(logs: readonly NewUsageLog[]): Promise<void>;
  /**
   * Deletes the next piece of the rows with `createdAt` < `time`, oldest first. `done`: there are
   * no more.
   */
  deletePiece(time: number): Promise<{ readonly deleted: number; readonly done: boolean }>;
  /**
   * Sums the days that are over, so that totals of long ranges need no row
   * (docs/rules/usage-logs.md#daily-sums); resolves with the number of days. Only one process may
   * call it at a time. `now` in Unix seconds.
   */
  sumDays(now: number, signal?: AbortSignal): Promise<number>;
}

/** How the requests of one user ended in one hour (docs/rules/usage-logs.md#outcomes). */
export interface RequestOutcomes {
  readonly userId: number;
  /** Start of the hour, Unix seconds. */
  readonly createdAt: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Refused for a fault of the caller. */
  readonly refused: number;
  /** Error rows that were not written, because there were too many. */
  readonly unlogged: number;
}
export type OutcomeSums = Omit<RequestOutcomes, 'userId' | 'createdAt'>;

export interface RequestOutcomesRepository {
  /** Adds to the rows of (user, hour), all in one transaction. */
  add(rows: readonly RequestOutcomes[]): Promise<void>;
  sum(filter: TimeRange & { readonly userId?: number }): Promise<OutcomeSums>;
}

/** A row of `quota_data`: consumption of one user on one model in one hour. */
export interface QuotaData {
  readonly id: number;
  readonly userId: number;
  readonly username: string;
  readonly modelName: string;
  /** Start of the hour, Unix seconds. */
  readonly createdAt: number;
  readonly tokenUsed: number;
  readonly count: number;
  readonly quota: Quota;
}

/** Sums of one model in one span of time. */
export interface UsageSum {
  /** Start of the span, Unix seconds. */
  readonly start: number;
  readonly modelName: string;
  readonly count: number;
  readonly quota: Quota;
  readonly tokenUsed: number;
}

/** Sums of one tag in one span of time (`tag_usage`). */
export interface TagSum extends Omit<UsageSum, 'modelName'> {
  readonly tag: string;
}

/** What was charged through a key of a channel (`channel_key_usage`). */
export interface KeySum {
  /** The key's fingerprint. */
  readonly name: string;
  readonly count: number;
  readonly quota: Quota;
}

/** What channels earned and cost (`channel_usage`). */
export interface MarginSum extends Pick<UsageSum, 'count' | 'quota' | 'tokenUsed'> {
  /** Thousandths of a quota, of the charges whose cost is known. */
  readonly cost: number;
  readonly costedCount: number;
  readonly costedQuota: Quota;
}

export interface ChannelMargin extends MarginSum {
  /** 0: not known, from before channels were counted. */
  readonly channelId: number;
  readonly modelName: string;
}

/**
 * Spans of whole hours, in Unix seconds: each ends where the next one begins, the last one at
 * `end`.
 */
export interface Spans {
  readonly starts: readonly number[];
  readonly end: number;
}

export interface QuotaDataRepository {
  /** Adds charges to all hourly sums, in one transaction. The ledger adds its own. */
  add(charges: readonly RolledCharge[]): Promise<void>;
  /** Raw rows of users, hour ascending. */
  list(
    filter: TimeRange & { readonly userId?: number; readonly username?: string },
  ): Promise<readonly QuotaData[]>;
  /**
   * Sums over users by model and hour, hour ascending; `id`, `userId` are 0 and `username` is ''.
   */
  listSums(range: TimeRange): Promise<readonly QuotaData[]>;
  /**
   * Sums by span and model, of one user or of the site, in no order; spans and models without a
   * charge are missing.
   */
  listSpans(
    spans: Spans,
    of?: { readonly userId?: number; readonly username?: string },
  ): Promise<readonly UsageSum[]>;
  /** Sums by span and tag, of one user or of the site, in no order. */
  listTagSpans(spans: Spans, userId?: number): Promise<readonly TagSum[]>;
  /** Sums by channel and model over all spans, in no order. */
  listMargins(spans: Spans): Promise<readonly ChannelMargin[]>;
  /** Sums by key of a channel that has several, from this hour on, in no order. */
  listKeys(channelId: number, from: number): Promise<readonly KeySum[]>;
  /**
   * Stores the hourly rows of the days that ended by `until` user by user, where the engine gains
   * from it, so that one user's hours are read from few pages. Goes on where it stopped the last
   * time.
   */
  gather(until: number, signal?: AbortSignal): Promise<void>;
  /** Sums by span, in no order; spans without a charge are missing. */
  listMarginSpans(spans: Spans): Promise<readonly (MarginSum & Pick<UsageSum, 'start'>)[]>;
}

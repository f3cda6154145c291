/** A row of `quota_warnings` (docs/rules/notices.md#quota-warning). Times are Unix seconds. */
export interface QuotaWarning {
  readonly userId: number;
  /** When a waiting warning is sent; 0: none waits. */
  readonly dueAt: number;
  /** Failed attempts at the waiting warning. */
  readonly tries: number;
  /** When the last warning was sent; 0: never. */
  readonly sentAt: number;
}

export interface QuotaWarningRepository {
  /**
   * Lets a warning of each user wait from `now` on, unless one waits already or was sent at
   * `sentSince` or later. Times far ahead, of a clock that was, count as none.
   */
  note(userIds: readonly number[], now: number, sentSince: number): Promise<void>;
  /** Waiting warnings that are due at `now`, oldest first. */
  due(now: number, limit: number): Promise<readonly QuotaWarning[]>;
  /**
   * Writes `to` if the row is still `from`. Of several concurrent callers exactly one gets true.
   */
  change(from: QuotaWarning, to: Partial<Omit<QuotaWarning, 'userId'>>): Promise<boolean>;
  /** Deletes rows without a waiting warning whose last one was sent before `sentBefore`. */
  purge(sentBefore: number): Promise<void>;
}

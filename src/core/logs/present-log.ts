import type { AuditEntity, LedgerEntity, LogEntity } from '../contract/entities.ts';
import { createPresenter } from '../entities/convert.ts';
import { logFields } from '../entities/log.ts';
import type { PostingSubject } from '../entities/posting-subject.ts';
import { parseObject } from '../kernel/json.ts';
import type { AuditLog, Posting, QuotaData, UsageLog } from '../storage/storage.ts';

const present = createPresenter(logFields);

/** A row for administrators. */
export function presentLog(log: UsageLog, channelNames: ReadonlyMap<number, string>): LogEntity {
  const { channelId: channel } = log;
  return present({ ...log, channel, channelName: channelNames.get(channel) ?? '' });
}

/**
 * A row for the user it belongs to: without the channel and what only administrators see, and with
 * a running number instead of the id, which would reveal how busy the site is
 * (docs/rules/usage-logs.md#admin-info).
 */
export function presentOwnLog(log: UsageLog, runningNumber: number): LogEntity {
  return {
    ...presentLog(log, new Map()),
    id: runningNumber,
    channel: 0,
    channel_name: '',
    other: withoutAdminInfo(log.other),
  };
}

function withoutAdminInfo(other: string): string {
  if (!other.includes('admin_info')) return other;
  const { admin_info: _, ...rest } = parseObject(other) ?? {};
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest);
}

export function presentQuotaData(row: QuotaData) {
  return {
    id: row.id,
    user_id: row.userId,
    username: row.username,
    model_name: row.modelName,
    created_at: row.createdAt,
    token_used: row.tokenUsed,
    count: row.count,
    quota: row.quota as number,
  };
}

export function presentAudit(entry: AuditLog): AuditEntity {
  return {
    id: entry.id,
    actor_id: entry.actorId,
    actor_name: entry.actorName,
    actor_role: entry.actorRole,
    action: entry.action,
    target: entry.target,
    detail: entry.detail,
    ip: entry.ip,
    created_at: entry.createdAt,
  };
}

export function presentPosting(
  posting: Posting,
  subject: PostingSubject | undefined,
): LedgerEntity {
  return {
    id: posting.id,
    user_id: posting.userId,
    token_id: posting.tokenId,
    kind: posting.kind,
    amount: posting.amount,
    balance_after: posting.balanceAfter,
    reference: posting.reference,
    subject: subject ?? null,
    created_at: posting.createdAt,
  };
}

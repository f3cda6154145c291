import type { QuotaWarning, QuotaWarningRepository } from '../entities/quota-warning.ts';
import { defineMapping, integer } from '../mapping.ts';
import { type Access, changed } from './access.ts';

const mapping = defineMapping<'quota_warnings', QuotaWarning>({
  userId: integer('user_id'),
  dueAt: integer('due_at'),
  tries: integer('tries'),
  sentAt: integer('sent_at'),
});

/** Seconds that a warning waits at most, with what the clocks of processes differ by. */
const longestWait = 7200;
/** Rows of one statement. */
const chunk = 500;

export function createQuotaWarningRepository({ read, write }: Access): QuotaWarningRepository {
  return {
    async note(userIds, now, sentSince) {
      const latest = now + longestWait;
      for (let from = 0; from < userIds.length; from += chunk) {
        const rows = userIds
          .slice(from, from + chunk)
          .map((userId) => mapping.write({ userId, dueAt: now, tries: 0, sentAt: 0 }));
        await write
          .insertInto('quota_warnings')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .column('user_id')
              .doUpdateSet({ due_at: now, tries: 0 })
              .where((where) =>
                where.or([
                  where.and([
                    where('quota_warnings.due_at', '=', 0),
                    where('quota_warnings.sent_at', '<', sentSince),
                  ]),
                  // Of a clock that was ahead.
                  where('quota_warnings.sent_at', '>', latest),
                  where('quota_warnings.due_at', '>', latest),
                ]),
              ),
          )
          .execute();
      }
    },
    async due(now, limit) {
      const rows = await read
        .selectFrom('quota_warnings')
        .selectAll()
        .where('due_at', '>', 0)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .execute();
      return rows.map(mapping.read);
    },
    async change(from, to) {
      const result = await write
        .updateTable('quota_warnings')
        .set(mapping.write({ ...from, ...to }))
        .where('user_id', '=', from.userId)
        .where('due_at', '=', from.dueAt)
        .where('tries', '=', from.tries)
        .where('sent_at', '=', from.sentAt)
        .executeTakeFirst();
      return changed(result);
    },
    purge: async (sentBefore) =>
      void (await write
        .deleteFrom('quota_warnings')
        .where('due_at', '=', 0)
        .where('sent_at', '<', sentBefore)
        .execute()),
  };
}

import { sql } from 'kysely';
import { auditFilters } from '../../entities/audit-filters.ts';
import type {
  AuditLog,
  AuditLogRepository,
  LockRepository,
  SetupRepository,
} from '../entities/system.ts';
import { filterConditions } from '../filter-conditions.ts';
import { escapeLike } from '../like.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import { type Access, changed } from './access.ts';

const auditLog = defineMapping<'audit_logs', AuditLog>({
  id: integer('id'),
  actorId: integer('actor_id'),
  actorName: text('actor_name'),
  actorRole: integer('actor_role'),
  action: text('action'),
  target: text('target'),
  detail: text('detail'),
  ip: text('ip'),
  createdAt: integer('created_at'),
});

export function createAuditLogRepository({ read, write, abilities }: Access): AuditLogRepository {
  return {
    insert: async (entry) =>
      void (await write.insertInto('audit_logs').values(auditLog.write(entry)).execute()),
    async page(filter, { offset, limit }) {
      const { actor = '', action = '', target = '' } = filter;
      const isId = /^\d+$/.test(actor);
      const actorId = filter.actorId ?? (isId ? Number(actor) : undefined);
      let query = read
        .selectFrom('audit_logs')
        .where((where) => where.and(filterConditions(auditFilters, filter)));
      if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
      if (actor !== '' && !isId)
        query = query.where(
          abilities.lower(sql.ref<string>('actor_name')),
          '=',
          actor.toLowerCase(),
        );
      if (action.endsWith('.'))
        query = query.where(sql<boolean>`action like ${`${escapeLike(action)}%`} escape '\\'`);
      else if (action !== '') query = query.where('action', '=', action);
      if (target !== '')
        query = query.where(
          sql<boolean>`',' || target || ',' like ${`%,${escapeLike(target)},%`} escape '\\'`,
        );
      const rows = await query
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(auditLog.read), total };
    },
  };
}

export function createSetupRepository({ read, write }: Access): SetupRepository {
  return {
    async find() {
      const row = await read.selectFrom('setups').selectAll().executeTakeFirst();
      return row === undefined ? null : { version: row.version, initializedAt: row.initialized_at };
    },
    async insert({ version, initializedAt }) {
      const { numInsertedOrUpdatedRows = 0n } = await write
        .insertInto('setups')
        .values({ id: 1, version, initialized_at: initializedAt })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
  };
}

export function createLockRepository({ write }: Access): LockRepository {
  return {
    async acquire(name, owner, now, expiresAt) {
      const { numInsertedOrUpdatedRows = 0n } = await write
        .insertInto('locks')
        .values({ name, owner, expires_at: expiresAt })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, expires_at: expiresAt })
            .where((where) =>
              where.or([where('locks.owner', '=', owner), where('locks.expires_at', '<=', now)]),
            ),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    release: async (name, owner) =>
      changed(
        await write
          .deleteFrom('locks')
          .where('name', '=', name)
          .where('owner', '=', owner)
          .executeTakeFirst(),
      ),
  };
}

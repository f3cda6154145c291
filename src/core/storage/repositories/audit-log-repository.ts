import { type Expression, type SqlBool, sql } from 'kysely';
import { auditFilters } from '../../entities/audit-filters.ts';
import { auditActionsWith } from '../../entities/audit-search.ts';
import type { AuditFilter, AuditLog, AuditLogRepository } from '../entities/system.ts';
import { filterConditions } from '../filter-conditions.ts';
import { escapeLike } from '../like.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import type { Access } from './access.ts';

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

/** Columns that a search looks at. */
const searched = ['actor_name', 'target', 'detail'];

export function createAuditLogRepository({ read, write, abilities }: Access): AuditLogRepository {
  const contains = (column: string, word: string) =>
    sql<SqlBool>`${abilities.lower(sql.ref<string>(column))} like ${`%${escapeLike(word)}%`} escape '\\'`;

  /** Each word is in a column, or in the sentence of the action. */
  const hasWord = (word: string): Expression<SqlBool> => {
    const { actions, changed } = auditActionsWith(word);
    return anyOf([
      ...searched.map((column) => contains(column, word)),
      ...(actions.length === 0 ? [] : [sql<SqlBool>`action in (${sql.join(actions)})`]),
      ...changed.map(
        ({ action, part }) =>
          sql<SqlBool>`(action = ${action} and detail like ${`%${part}%`} escape '\\')`,
      ),
    ]);
  };

  const conditionsOf = (filter: AuditFilter): readonly Expression<SqlBool>[] => {
    const { actor = '', action = '', target = '', text: searchText = '' } = filter;
    const isId = /^\d+$/.test(actor);
    const actorId = filter.actorId ?? (isId ? Number(actor) : undefined);
    const name = abilities.lower(sql.ref<string>('actor_name'));
    return [
      ...filterConditions(auditFilters, filter),
      ...(actorId === undefined ? [] : [sql<SqlBool>`actor_id = ${actorId}`]),
      ...(actor === '' || isId ? [] : [sql<SqlBool>`${name} = ${actor.toLowerCase()}`]),
      ...actionCondition(action),
      ...(target === ''
        ? []
        : [sql<SqlBool>`',' || target || ',' like ${`%,${escapeLike(target)},%`} escape '\\'`]),
      ...searchText.toLowerCase().split(/\s+/).filter(Boolean).map(hasWord),
    ];
  };

  const select = (filter: AuditFilter) =>
    read.selectFrom('audit_logs').where((where) => where.and([...conditionsOf(filter)]));

  return {
    insert: async (entry) =>
      void (await write.insertInto('audit_logs').values(auditLog.write(entry)).execute()),
    async page(filter, { offset, limit }) {
      const rows = await select(filter)
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await select(filter)
        .select((one) => one.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(auditLog.read), total };
    },
    async listBefore(filter, id, limit) {
      const query = select(filter).selectAll().orderBy('id', 'desc').limit(limit);
      const rows = await (id === undefined ? query : query.where('id', '<', id)).execute();
      return rows.map(auditLog.read);
    },
  };
}

function actionCondition(action: string): readonly Expression<SqlBool>[] {
  if (action === '') return [];
  if (!action.endsWith('.')) return [sql<SqlBool>`action = ${action}`];
  return [sql<SqlBool>`action like ${`${escapeLike(action)}%`} escape '\\'`];
}

function anyOf(conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

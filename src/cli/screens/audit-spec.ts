/** The view of the audit log: who changed what. */
import type { AuditEntity } from '../../core/contract/entities.ts';
import { auditColumns } from '../show/columns.ts';
import type { EntitySpec } from './entity-spec.ts';
import { pageSize } from './sizes.ts';
import { viewTitles } from './view.ts';

export const auditSpec: EntitySpec<AuditEntity> = {
  title: viewTitles.audit,
  columns: auditColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => `#${row.id}`,
  load: ({ client }, filter, page) =>
    client.audit.list({ p: page + 1, page_size: pageSize, keyword: filter }),
  orders: [
    { title: { en: 'actor', zh: '操作人' }, figure: (row) => row.actor_name },
    { title: { en: 'action', zh: '操作' }, figure: (row) => row.action },
  ],
};

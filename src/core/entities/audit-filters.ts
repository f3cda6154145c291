import { defineFilters } from './filters.ts';

/** The filters of the audit log (docs/rules/security.md#audit-log). */
export const auditFilters = defineFilters({
  time: {
    kind: 'time',
    wire: ['start_timestamp', 'end_timestamp'],
    column: 'created_at',
    label: { en: 'time', zh: '时间' },
  },
  /** Words that an entry has: in names, the target, the change, or the sentence of its action. */
  text: {
    kind: 'text',
    wire: 'keyword',
    trim: true,
    own: true,
    label: { en: 'keyword', zh: '关键词' },
  },
  /** An id, or a name whatever its case. */
  actor: {
    kind: 'text',
    wire: 'actor',
    trim: true,
    own: true,
    label: { en: 'actor', zh: '操作人' },
  },
  /** Exact; with a dot at its end, all actions that begin with it: `channel.`. */
  action: { kind: 'text', wire: 'action', own: true, label: { en: 'action', zh: '操作' } },
  /** Exact, or one of a list: an id, a key of an option, a tag, an order number. */
  target: {
    kind: 'text',
    wire: 'target',
    trim: true,
    own: true,
    label: { en: 'target', zh: '对象' },
  },
});

/** `turnpike audit …`: what administrators changed (docs/rules/security.md#audit-log). */
import { api } from '../../core/contract/index.ts';
import { auditFilters } from '../../core/entities/audit-filters.ts';
import { type Command, command } from '../command/command.ts';
import { downloadCsv, fileArgument } from '../command/download.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { pageFlags } from '../command/paging.ts';
import { auditColumns } from '../show/columns.ts';

const { audit } = api;

const filters = filterFlags(audit.list, auditFilters, {
  actor: {
    placeholder: 'ID|NAME',
    summary: { en: 'Only by this user; a number is an id', zh: '仅此用户的操作；数字视为编号' },
  },
  action: {
    summary: { en: 'Only this action: option.set, user.', zh: '仅此操作，如 option.set、user.' },
  },
  target: {
    summary: {
      en: 'Only on this target: an id, an option, a tag',
      zh: '仅此对象：编号、设置项或标签',
    },
  },
  text: {
    summary: {
      en: 'Only entries with these words: in names, changes or the sentence',
      zh: '仅含这些文字的记录：在名称、变更或语句中',
    },
  },
});
const details = {
  en: 'An action that ends with a dot selects all that begin with it: channel.',
  zh: '操作代码以点号结尾时，匹配以它开头的全部操作，如 channel.',
} as const;

export const auditCommands: readonly Command[] = [
  command({
    name: 'audit list',
    summary: {
      en: 'List what administrators changed, newest first',
      zh: '列出管理员的修改，新的在前',
    },
    details,
    flags: [...pageFlags(1), ...filters],
    calls: audit.list,
    columns: auditColumns,
  }),
  command({
    name: 'audit export',
    summary: {
      en: 'Export the audit log as CSV, newest first',
      zh: '将审计日志导出为 CSV，新的在前',
    },
    details,
    arguments: [fileArgument],
    flags: filters,
    run: (context) =>
      downloadCsv(context, () => context.call(audit.export, context.values.input())),
  }),
];

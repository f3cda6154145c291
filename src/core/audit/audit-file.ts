/** The audit log as CSV (docs/rules/security.md#audit-export). */
import type { FileOutput } from '../contract/endpoint.ts';
import { auditRestText, auditSentenceText } from '../entities/audit-sentence.ts';
import type { AuditTexts } from '../entities/audit-values.ts';
import { optionName } from '../i18n/option-name.ts';
import { isMessageKey, translate } from '../i18n/translate.ts';
import { byteOrderMark, type CsvCell, csvLine } from '../kernel/csv.ts';
import { localTimeText } from '../kernel/local-time.ts';
import { formatTotal, type MoneyDisplay } from '../pricing/format.ts';
import type { AuditFilter, AuditLog, AuditLogRepository } from '../storage/storage.ts';
import type { Language } from '../vocabulary/languages.ts';
import type { StatusGroup } from '../vocabulary/status-tones.ts';

/** How sentences and amounts are written. */
export interface AuditLook {
  readonly language: Language;
  readonly money: MoneyDisplay;
}

/** Rows per read: nothing else is held in memory. */
const pieceSize = 1000;

function auditTexts({ language, money }: AuditLook): AuditTexts {
  return {
    money: (quota) => formatTotal(quota, money).text,
    time: localTimeText,
    word: (group, value) => wordOf(group, value, language) ?? String(value),
    option: (key) => optionName(key, language),
  };
}

/** Newest first. Entries that are written while it is read are not part of it. */
export async function auditFile(
  auditLogs: Pick<AuditLogRepository, 'listBefore' | 'page'>,
  filter: AuditFilter,
  look: AuditLook,
): Promise<FileOutput> {
  const texts = auditTexts(look);
  const columns: readonly (readonly [string, (entry: AuditLog) => CsvCell])[] = [
    ['id', ({ id }) => id],
    ['time', ({ createdAt }) => localTimeText(createdAt)],
    ['actor_id', ({ actorId }) => actorId],
    ['actor', ({ actorName }) => actorName],
    ['event', (entry) => auditSentenceText(entry, look.language, texts)],
    ['change', (entry) => auditRestText(entry, look.language, texts)],
    ['ip', ({ ip }) => ip],
    ['action', ({ action }) => action],
    ['target', ({ target }) => target],
    ['detail', ({ detail }) => detail],
  ];
  async function* chunks(): AsyncGenerator<string> {
    yield byteOrderMark + csvLine(columns.map(([name]) => name));
    let before: number | undefined;
    for (;;) {
      const rows = await auditLogs.listBefore(filter, before, pieceSize);
      if (rows.length > 0)
        yield rows.map((row) => csvLine(columns.map(([, value]) => value(row)))).join('');
      if (rows.length < pieceSize) return;
      before = rows.at(-1)?.id;
    }
  }
  const { total } = await auditLogs.page(filter, { offset: 0, limit: 1 });
  return { name: 'audit-log.csv', type: 'text/csv; charset=utf-8', total, chunks: chunks() };
}

function wordOf(group: StatusGroup, value: number, language: Language): string | undefined {
  const key = `${group}.${value}`;
  return isMessageKey(key) ? translate(language, key) : undefined;
}

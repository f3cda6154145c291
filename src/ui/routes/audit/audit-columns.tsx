import type { AuditEntity } from '../../../core/contract/entities.ts';
import { auditFilters } from '../../../core/entities/audit-filters.ts';
import { auditRest, auditRestText, auditSentence } from '../../../core/entities/audit-sentence.ts';
import { fullTime, minuteTime } from '../../hooks/use-time-text.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import type { ScreenColumn } from '../../list/columns.ts';
import { labelOf } from '../../list/declared-filters.ts';
import classes from './audit.module.css';
import { AuditSentence } from './audit-action.tsx';
import { fieldName, useAuditTexts } from './use-audit-detail.ts';

function ShortChange({ entry }: { readonly entry: AuditEntity }) {
  const { t } = useTranslation();
  const texts = useAuditTexts();
  // What the sentence says already is not said twice.
  const { changes } = auditRest(entry, texts, auditSentence(entry, currentLanguage(), texts));
  const [first] = changes;
  if (first === undefined) {
    const text = auditRestText(entry, currentLanguage(), texts);
    return text === '' ? null : <span className={`${classes.change} ${classes.dim}`}>{text}</span>;
  }
  const values = first.to === undefined ? t('audit.hidden') : `${first.from ?? '…'} → ${first.to}`;
  return (
    <span className={classes.change}>
      {first.field !== '' && <b>{fieldName(entry, first.field)}</b>} {values}
      {changes.length > 1 && (
        <span className={classes.dim}> {t('audit.more', { count: changes.length - 1 })}</span>
      )}
    </span>
  );
}

export function useAuditColumns(): readonly ScreenColumn<AuditEntity>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'time',
      fixed: true,
      label: labelOf(auditFilters.time),
      card: { place: 'figure' },
      render: ({ created_at }) => (
        <span className={classes.dim} data-moment title={fullTime(created_at)}>
          {minuteTime(created_at)}
        </span>
      ),
    },
    {
      key: 'event',
      fixed: true,
      label: t('audit.column.event'),
      render: (entry) => <AuditSentence entry={entry} />,
    },
    {
      key: 'change',
      label: t('audit.column.change'),
      card: { place: 'second' },
      render: (entry) => <ShortChange entry={entry} />,
    },
    {
      key: 'ip',
      label: t('audit.column.ip'),
      card: { place: 'figure' },
      render: ({ ip }) => (
        <code className={classes.dim}>{ip === '' ? t('audit.ip.machine') : ip}</code>
      ),
    },
  ];
}

import type { AuditEntity } from '../../../core/contract/entities.ts';
import { auditFilters } from '../../../core/entities/audit-filters.ts';
import { fullTime, minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { ScreenColumn } from '../../list/columns.ts';
import { labelOf } from '../../list/declared-filters.ts';
import classes from './audit.module.css';
import { ActionName } from './audit-action.tsx';
import { readDetail } from './audit-change.ts';

export function ActorName({ entry }: { readonly entry: AuditEntity }) {
  const { t } = useTranslation();
  const { actor_id, actor_name } = entry;
  if (actor_id === 0 && actor_name === '')
    return <span className={classes.dim}>{t('audit.actor.program')}</span>;
  return (
    <span className={classes.actor} title={actor_name}>
      {actor_name} <span className={classes.dim}>#{actor_id}</span>
    </span>
  );
}

function ShortChange({ entry }: { readonly entry: AuditEntity }) {
  const { t } = useTranslation();
  const { changes, facts } = readDetail(entry.detail);
  const [first] = changes;
  if (first === undefined) {
    const text = facts.map(({ name, value }) => `${name}: ${value}`).join(', ');
    return <span className={`${classes.change} ${classes.dim}`}>{text}</span>;
  }
  const values = first.to === undefined ? t('audit.hidden') : `${first.from ?? '…'} → ${first.to}`;
  return (
    <span className={classes.change}>
      {first.field !== '' && <code>{first.field}</code>} {values}
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
        <span className={classes.dim} title={fullTime(created_at)}>
          {minuteTime(created_at)}
        </span>
      ),
    },
    {
      key: 'actor',
      label: labelOf(auditFilters.actor),
      card: { place: 'figure' },
      render: (entry) => <ActorName entry={entry} />,
    },
    {
      key: 'action',
      label: labelOf(auditFilters.action),
      render: ({ action }) => <ActionName action={action} />,
    },
    {
      key: 'target',
      label: labelOf(auditFilters.target),
      render: ({ target }) => (
        <span className={classes.target} title={target}>
          {target}
        </span>
      ),
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
      render: ({ ip }) => (
        <code className={classes.dim}>{ip === '' ? t('audit.ip.machine') : ip}</code>
      ),
    },
  ];
}

/** One entry in full: who, from where, and every value before and after. */

import type { AuditEntity } from '../../../core/contract/entities.ts';
import { type Change, readDetail } from '../../../core/entities/audit-detail.ts';
import { auditFilters } from '../../../core/entities/audit-filters.ts';
import { Dialog } from '../../components/dialog.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { labelOf } from '../../list/declared-filters.ts';
import classes from './audit.module.css';
import { AuditSentence } from './audit-action.tsx';
import { fieldName, useAuditTexts } from './use-audit-detail.ts';

export function AuditDialog({
  entry,
  onClose,
}: {
  readonly entry: AuditEntity;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const phone = usePhone();
  const { changes, facts } = readDetail(entry, useAuditTexts());
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      fullScreen={phone}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      title={<AuditSentence entry={entry} />}
    >
      <dl className={classes.facts}>
        <Fact label={labelOf(auditFilters.time)}>{fullTime(entry.created_at)}</Fact>
        <Fact label={labelOf(auditFilters.actor)}>
          {entry.actor_name} #{entry.actor_id}
        </Fact>
        <Fact label={labelOf(auditFilters.action)}>
          <code>{entry.action}</code>
        </Fact>
        {entry.target !== '' && <Fact label={labelOf(auditFilters.target)}>{entry.target}</Fact>}
        <Fact label={t('audit.column.ip')}>
          {entry.ip === '' ? t('audit.ip.machine') : entry.ip}
        </Fact>
        {facts.map(({ name, value }) => (
          <Fact key={name} label={fieldName(entry, name)}>
            {value}
          </Fact>
        ))}
      </dl>
      {changes.length > 0 && <Changes entry={entry} changes={changes} />}
    </Dialog>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Changes({
  entry,
  changes,
}: {
  readonly entry: AuditEntity;
  readonly changes: readonly Change[];
}) {
  const { t } = useTranslation();
  return (
    <table className={classes.changes}>
      <thead>
        <tr>
          <th scope="col">{t('audit.change.field')}</th>
          <th scope="col">{t('audit.change.from')}</th>
          <th scope="col">{t('audit.change.to')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, from, to }) => (
          <tr key={field}>
            <th scope="row">{field === '' ? t('audit.change.value') : fieldName(entry, field)}</th>
            {from === undefined && to === undefined ? (
              <td colSpan={2} className={classes.dim}>
                {t('audit.hidden')}
              </td>
            ) : (
              <>
                <Value text={from} />
                <Value text={to} />
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  return (
    <td>
      {text === undefined || text === '' ? (
        <span className={classes.dim}>—</span>
      ) : (
        <code>{text}</code>
      )}
    </td>
  );
}

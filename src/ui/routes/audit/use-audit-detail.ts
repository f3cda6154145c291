import { useMemo } from 'react';
import type { AuditEntity } from '../../../core/contract/entities.ts';
import { type ReadDetail, readDetail } from '../../../core/entities/audit-detail.ts';
import { type AuditTexts, auditFieldLabel } from '../../../core/entities/audit-values.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { fullTime } from '../../hooks/use-time-text.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';

/** What entries say of their changes, in the site's money and the reader's words. */
export function useAuditDetail(): (entry: AuditEntity) => ReadDetail {
  const { t } = useTranslation();
  const { total } = useMoney();
  return useMemo(() => {
    const texts: AuditTexts = {
      money: (quota) => total(quota).text,
      time: fullTime,
      word: (group, value) => t(wordKey(group, value)),
    };
    return (entry) => readDetail(entry, texts);
  }, [t, total]);
}

/** A field by its label, else as it is stored. */
export function fieldName({ action }: AuditEntity, field: string): string {
  return auditFieldLabel(action, field, currentLanguage()) ?? field;
}

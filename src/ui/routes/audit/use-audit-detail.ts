import { useMemo } from 'react';
import type { AuditEntity } from '../../../core/contract/entities.ts';
import { type AuditTexts, auditFieldLabel } from '../../../core/entities/audit-values.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { fullTime } from '../../hooks/use-time-text.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { useOptionTexts } from '../../i18n/option-texts.ts';
import { wordKey } from '../../i18n/words.ts';

/** How entries write amounts, times and words: in the site's money and the reader's language. */
export function useAuditTexts(): AuditTexts {
  const { t } = useTranslation();
  const { total } = useMoney();
  const options = useOptionTexts();
  return useMemo(
    () => ({
      money: (quota) => total(quota).text,
      time: fullTime,
      word: (group, value) => t(wordKey(group, value)),
      option: options.name,
    }),
    [t, total, options],
  );
}

/** A field by its label, else as it is stored. */
export function fieldName({ action }: AuditEntity, field: string): string {
  return auditFieldLabel(action, field, currentLanguage()) ?? field;
}

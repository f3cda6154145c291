import { useCallback } from 'react';
import type { ForeignLabel } from '../browser/foreign-content.ts';
import { useTranslation } from '../i18n/index.ts';

/** What links to files of other sites say. It changes with the language only. */
export function useForeignLabel(): ForeignLabel {
  const { t } = useTranslation();
  return useCallback((kind, host) => t(`common.foreign.${kind}`, { host }), [t]);
}

import { specifications } from '../../core/vocabulary/model-square.ts';
import type { Translate } from '../i18n/index.ts';

/** Sizes that the filter offers have names; others stand as they were entered. */
export function specificationName(text: string, t: Translate): string {
  switch (specifications.find((known) => known.toLowerCase() === text.toLowerCase())) {
    case '<10B':
      return t('models.spec.under10');
    case '10-50B':
      return '10–50B';
    case '50-100B':
      return '50–100B';
    case '>100B':
      return t('models.spec.over100');
    default:
      return text;
  }
}

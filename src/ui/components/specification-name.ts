import { specifications, unpublishedSizes } from '../../core/vocabulary/model-square.ts';
import { currentLanguage, type Translate } from '../i18n/index.ts';

/** Sizes that the filter offers have names; others stand as they were entered. */
export function specificationName(text: string, t: Translate): string {
  if (Object.values(unpublishedSizes).includes(text)) return unpublishedSizes[currentLanguage()];
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

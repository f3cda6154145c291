import type { EnglishOf } from '../english-of.ts';
import type { models as zh } from '../zh/models.ts';

export const models: EnglishOf<typeof zh> = {
  'models.price.free': 'Free',
  'models.price.billed': 'Billed',
  'models.status.1': 'Enabled',
  'models.status.2': 'Disabled',
  'models.spec.under10': 'Under 10B',
  'models.spec.over100': 'Over 100B',
};

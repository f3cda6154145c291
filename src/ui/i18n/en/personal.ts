import type { EnglishOf } from '../english-of.ts';
import type { personal as zh } from '../zh/personal.ts';

export const personal: EnglishOf<typeof zh> = {
  'personal.title': 'Personal settings',
  'personal.subtitle': 'They apply to your account only.',
  'personal.failed': 'Could not load your settings',
  'personal.tab.price': 'Price settings',
  'personal.saved': 'Settings updated',
  'personal.acceptUnpriced': 'Accept models without a price',
  'personal.acceptUnpriced.hint':
    'While this is off, calls to models without a price are refused. While it is on, they are charged at ratio {{ratio}}: {{price}} per 1M input tokens, which may be far above the usual price.',
};

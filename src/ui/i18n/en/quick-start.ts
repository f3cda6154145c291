import type { EnglishOf } from '../english-of.ts';
import type { quickStart as zh } from '../zh/quick-start.ts';

export const quickStart: EnglishOf<typeof zh> = {
  'quickStart.key': 'Key',
  'quickStart.key.hint':
    'Paste a key of the upstream. It is stored encrypted and never shown again',
  'quickStart.vendor': 'Vendor',
  'quickStart.vendor.hint': 'Not recognised by the key: choose it',
  'quickStart.vendor.found': 'Recognised by the key or address',
  'quickStart.address': 'Address',
  'quickStart.address.hint': "Empty: the vendor's own",
  'quickStart.address.needed': 'Enter the address of the upstream',
  'quickStart.verify': 'Verify the key',
  'quickStart.noModels': 'The upstream offers no model',
  'quickStart.models_one': 'The upstream offers {{count}} model.',
  'quickStart.models_other': 'The upstream offers {{count}} models.',
  'quickStart.models.unpriced_one':
    ' {{count}} of them has no price and cannot be called until one is set.',
  'quickStart.models.unpriced_other':
    ' {{count}} of them have no price and cannot be called until one is set.',
  'quickStart.models.label': 'Models of the upstream',
  'quickStart.unpriced': 'no price',
  'quickStart.connect_one': 'Connect {{count}} model',
  'quickStart.connect_other': 'Connect {{count}} models',
  'quickStart.again': 'Try again',
  'quickStart.done.channel': 'The channel is there',
  'quickStart.done.test': 'Its test succeeded in {{time}} s',
  'quickStart.done.test.model': '{{model}} passed its test in {{time}} s',
  'quickStart.done.token': 'A token is made',
  'quickStart.token': 'Default',
  'quickStart.token.copy': 'Copy the key of the token',
  'quickStart.try': 'Try {{model}}',
  'quickStart.form': 'All fields of a channel',
  'quickStart.channels': 'Go to the channels',
};

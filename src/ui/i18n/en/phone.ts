import type { EnglishOf } from '../english-of.ts';
import type { phone as zh } from '../zh/phone.ts';

export const phone: EnglishOf<typeof zh> = {
  'phone.number': 'Phone number',
  'phone.number.missing': 'Enter your phone number',
  'phone.code': 'Code',
  'phone.code.placeholder': '6 digits',
  'phone.code.missing': 'Enter the code',
  'phone.code.get': 'Get code',
  'phone.code.again': 'Again in {{seconds}} s',
  'phone.code.sent': 'The code was sent',
  'phone.code.failed': 'The code could not be sent, try again later',
  'phone.bind.title': 'Link a phone number',
  'phone.bound': 'The phone number is linked',
  'phone.unbind': 'Unlink',
  'phone.unbind.title': 'Unlink the phone number?',
  'phone.unbind.text':
    'Afterwards {{phone}} can no longer be used to log in to this account, nor to verify its logins.',
  'phone.unbound': 'The phone number was unlinked',
  'slider.row': 'Human check',
  'slider.open': 'Solve the slider puzzle',
  'slider.done': 'Passed',
  'slider.title': 'Slide the piece into its gap',
  'slider.label': 'Position of the piece',
  'slider.hint': 'Hold and drag right',
  'slider.keys': 'Or move it with the arrow keys and press Enter',
  'slider.right': 'The gap is {{pixels}} pixels to the right',
  'slider.left': 'The gap is {{pixels}} pixels to the left',
  'slider.here': 'The piece is at its gap',
  'slider.passed': 'Verified',
  'slider.failed': 'Verification failed, try again',
  'slider.cancelled': 'Verification cancelled',
};

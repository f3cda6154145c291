import type { EnglishOf } from '../english-of.ts';
import type { emailCode as zh } from '../zh/email-code.ts';

export const emailCode: EnglishOf<typeof zh> = {
  'emailCode.email': 'Email',
  'emailCode.missing': 'Enter your email address',
  'emailCode.code': 'Verification code',
  'emailCode.code.hint': 'Six digits, valid for 10 minutes',
  'emailCode.code.missing': 'Enter the verification code',
  'emailCode.get': 'Get code',
  'emailCode.sent': 'Email sent to {{email}}. Check your inbox.',
  'emailCode.failed': 'The code could not be sent, try again later',
};

import type { EnglishOf } from '../english-of.ts';
import type { reset as zh } from '../zh/reset.ts';

export const reset: EnglishOf<typeof zh> = {
  'reset.title': 'Reset your password',
  'reset.lead': 'Enter the email address of your account. We send a link to it.',
  'reset.email': 'Email',
  'reset.email.missing': 'Enter your email address',
  'reset.send': 'Send reset link',
  'reset.again': 'Try again in {{seconds}} s',
  'reset.sent':
    'If an account has this address, an email with a reset link is on its way. The link is valid for 10 minutes.',
  'reset.failed': 'The reset failed, try again later',
  'reset.confirm.lead': 'You get a new password, and are logged out on all devices.',
  'reset.confirm': 'Reset password',
  'reset.done': 'This is your new password. Keep it: it is not shown again.',
  'reset.done.copied':
    'This is your new password, copied to the clipboard. Keep it: it is not shown again.',
  'reset.copy': 'Copy the new password',
  'reset.copied': 'Copied',
  'reset.logIn': 'Log in',
  'reset.back': 'Back to login',
  'reset.newLink': 'Send a new link',
  'notMe.title': 'Was it not you?',
  'notMe.lead':
    'The button takes the change back, ends the logins on all devices, stops the password and the system access token, and has a link for a new password mailed to you. API tokens are not affected.',
  'notMe.submit': 'It was not me, protect my account',
  'notMe.done':
    'Your account is protected. A link for a new password is on its way; open it within 10 minutes. Then check linked accounts, two-step login and API tokens.',
  'notMe.done.unmailed':
    'Your account is protected, but the link for a new password could not be mailed. Reset the password on the login page later, or ask the administrator.',
  'notMe.incomplete': 'The link is not complete. Copy the whole link from the email.',
};

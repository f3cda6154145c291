import type * as zh from '../zh/mail-words.ts';

export const mails = {
  'mail.code': 'Your verification code for {site}',
  'mail.code.body':
    '<p>You are verifying your email address for {site}.</p><p>Verification code: <strong>{code}</strong></p><p>The code is valid for {minutes} minutes and works once. If this was not you, ignore this email.</p>',
  'mail.has_account': 'You already have an account at {site}',
  'mail.has_account.body':
    '<p>Somebody asked to register at {site} with this email address, which already has an account.</p><p>You can log in as usual, or reset your password on the login page if you forgot it. If this was not you, ignore this email.</p>',
  'mail.reset': 'Reset your password for {site}',
  'mail.reset.body':
    '<p>You asked to reset your password for {site}.</p><p><a href="{link}">Reset the password</a></p><p>If the link does not open, copy it into your browser:<br>{link}</p><p>The link is valid for {minutes} minutes and works once. If this was not you, ignore this email; your password stays as it is.</p>',
  'mail.way': '{site}: {change}',
  'mail.way.body':
    '<p>Hello {name},</p><p>Your account at {site} was changed: <strong>{change}</strong>.</p><p>Time: {time} (UTC)<br>By: {by}[<br>IP address: {ip}]</p><p>If this was you, there is nothing to do.</p>[<p>If it was not you, open this at once: <a href="{link}">It was not me</a>. Once you confirm there, the change is taken back, all logins end, password and system access token stop working, and you get an email to set a new password.</p><p>If the link does not open, copy it into your browser:<br>{link}</p><p>The link is valid for {days} days and works once.</p>][<p>{advice}</p>]',
  'account.change.password': 'the password was changed',
  'account.change.email': 'the email address was replaced',
  'account.change.phone': 'a phone number was linked',
  'account.change.phone.removed': 'the phone number was unlinked',
  'account.change.identity': 'an account of {provider} was linked',
  'account.change.identity.removed': 'the account of {provider} was unlinked',
  'account.change.totp': 'an authenticator app was set up',
  'account.change.totp.removed': 'the authenticator app was removed',
  'account.change.passkey': 'a passkey was added',
  'account.change.passkey.removed': 'a passkey was removed',
  'account.change.recovery_codes': 'new recovery codes were made',
  'account.change.factors': 'all second factors were removed',
  'account.change.system_token': 'a new system access token was made',
  'account.change.account': 'the account was deleted',
  'account.by.self': 'your account',
  'account.by.admin': 'administrator {admin}',
  'account.by.operator': 'somebody with access to the server',
  'account.by.link': 'somebody who opened the mailed link to reset the password',
  'account.advice': 'If it was not you, change your password at once and tell the administrator.',
  'account.advice.deleted': 'If it was not you, tell the administrator at once.',
} satisfies Record<keyof typeof zh.mails, string>;

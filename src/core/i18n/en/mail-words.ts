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
} satisfies Record<keyof typeof zh.mails, string>;

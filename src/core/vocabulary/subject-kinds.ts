/**
 * What a posting is about (docs/rules/ledger.md#subjects): a request, the task or drawing that
 * failed, a payment, a redemption code, the administrator who granted or changed it, who invited
 * the user, the new account that got a gift, or the user's own invite earnings.
 */
export const subjectKinds = [
  'request',
  'task',
  'drawing',
  'order',
  'code',
  'administrator',
  'inviter',
  'account',
  'invites',
] as const;
export type SubjectKind = (typeof subjectKinds)[number];

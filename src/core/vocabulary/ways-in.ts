/**
 * What lets somebody into an account, or is requested besides. Changing one passes the gate
 * (docs/rules/accounts.md#ways-in). `factors`: all second factors of a user at once. `account`: all
 * ways at once, by its deletion.
 */
export type WayIn =
  | 'password'
  | 'email'
  | 'phone'
  | 'identity'
  | 'totp'
  | 'passkey'
  | 'recovery_codes'
  | 'factors'
  | 'system_token'
  | 'account';

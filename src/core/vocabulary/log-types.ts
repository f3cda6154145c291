/** Types of usage log rows (docs/rules/usage-logs.md#log-types). 6 only occurs in imported rows. */
export const logTypes = {
  unknown: 0,
  topUp: 1,
  consume: 2,
  manage: 3,
  system: 4,
  error: 5,
  refund: 6,
} as const;
export type LogType = (typeof logTypes)[keyof typeof logTypes];

/** Their names in files, and with hyphens as flags, whatever the language. */
export const logTypeNames: Readonly<Record<number, string>> = {
  [logTypes.unknown]: 'unknown',
  [logTypes.topUp]: 'top_up',
  [logTypes.consume]: 'usage',
  [logTypes.manage]: 'admin',
  [logTypes.system]: 'system',
  [logTypes.error]: 'error',
  [logTypes.refund]: 'refund',
};

/** The tables whose rows are linked; each has a chain of its own (docs/rules/ledger.md#chain). */
export const linkedTables = ['ledger', 'token_allowances'] as const;
export type LinkedTable = (typeof linkedTables)[number];

/**
 * Why a chain does not hold (docs/rules/ledger.md#ledger-verify). `changed`: a row is not what was
 * written, or rows before it are missing, added or moved. `unlinked`: something other than the
 * ledger wrote it. `missing`: rows at the end. `earlier`: some of the rows that were there when the
 * chain began. `unsealed`: a row is missing or not what it was when its link was noted or sealed.
 * `foreign`: that was the link of another ledger.
 */
export const chainBreakReasons = [
  'changed',
  'unlinked',
  'missing',
  'earlier',
  'unsealed',
  'foreign',
] as const;
export type ChainBreakReason = (typeof chainBreakReasons)[number];

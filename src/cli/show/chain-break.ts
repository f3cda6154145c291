/** What is said of a break of the ledger's chain (docs/rules/ledger.md#ledger-verify). */

import type { OutputOf } from '../../core/contract/endpoint.ts';
import type { api } from '../../core/contract/index.ts';
import type { ChainBreakReason, LinkedTable } from '../../core/vocabulary/ledger-chain.ts';
import type { Text } from '../base/text.ts';

type Break = OutputOf<typeof api.ledger.verify>['chain']['breaks'][number];

const reasons: Readonly<Record<ChainBreakReason, Text>> = {
  changed: {
    en: '{row} {id} is not what was written, or rows before it are missing, added or moved',
    zh: '{row} {id} 与写入时不符，或其之前有记录被删除、增加或移动',
  },
  unlinked: { en: '{row} {id} was not written by the ledger', zh: '{row} {id} 不是由账本写入的' },
  missing: {
    en: 'the end is missing: {row} {id} to {until}',
    zh: '末尾缺失：{row} {id} 至 {until}',
  },
  earlier: {
    en: 'of {row} {id} to {until}, from before the chain, something was changed, removed or added',
    zh: '建立哈希链之前的 {row} {id} 至 {until} 中，有记录被修改、删除或增加',
  },
  unsealed: {
    en: '{row} {id} is missing, or it or a row before it is not what it was when its link was noted',
    zh: '{row} {id} 缺失，或它及其之前的记录与留存链接值时不符',
  },
  foreign: {
    en: 'the noted link of {row} {id} belongs to another ledger',
    zh: '所留存的 {row} {id} 的链接值属于另一个账本',
  },
};

const rows: Readonly<Record<LinkedTable, Text>> = {
  ledger: { en: 'posting', zh: '账本条目' },
  token_allowances: { en: 'allowance', zh: '令牌额度变更' },
};

export function describeBreak(
  { reason, table, id, until }: Break,
  localize: (text: Text, params?: Record<string, string | number>) => string,
): string {
  return localize(reasons[reason], { row: localize(rows[table]), id, until });
}

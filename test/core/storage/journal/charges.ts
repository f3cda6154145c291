import type { ChargeSettlement } from '../../../../src/core/storage/ledger/settlement.ts';

/** With log row and rollup, without token and channel. */
export function chargeOf(
  userId: number,
  requestId: string,
  amount = 1,
  content = '',
): ChargeSettlement {
  const shared = { userId, username: 'ann', modelName: 'm', channelId: 0, requestId };
  const counts = {
    quota: amount,
    promptTokens: 1,
    completionTokens: 1,
    useTime: 0,
    isStream: false,
  };
  return {
    kind: 'charge',
    requestId,
    userId,
    tokenId: 0,
    channelId: 0,
    amount,
    at: 7200,
    log: {
      ...shared,
      ...counts,
      createdAt: 7200,
      type: 2,
      content,
      tokenName: '',
      tokenId: 0,
      group: 'default',
      other: '{}',
      tags: '',
    },
    rollup: { modelName: 'm', username: 'ann', hour: 7200, tokens: 2, cost: undefined },
  };
}

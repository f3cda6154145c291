import type { Step } from '../src/core/storage/columns.ts';
import { users } from './0001-users.ts';
import { tokens } from './0002-tokens.ts';
import { channels } from './0003-channels.ts';
import { abilities } from './0004-abilities.ts';
import { options } from './0005-options.ts';
import { redemptions } from './0006-redemptions.ts';
import { logs } from './0007-logs.ts';
import { ledger } from './0008-ledger.ts';
import { holds } from './0009-holds.ts';
import { quotaData } from './0010-quota-data.ts';
import { setups } from './0011-setups.ts';
import { sessions } from './0012-sessions.ts';
import { verificationCodes } from './0013-verification-codes.ts';
import { auditLogs } from './0014-audit-logs.ts';
import { locks } from './0015-locks.ts';
import { topUps } from './0016-top-ups.ts';
import { midjourneys } from './0017-midjourneys.ts';
import { tasks } from './0018-tasks.ts';
import { modelSquare } from './0019-model-square.ts';
import { uploads } from './0020-uploads.ts';
import { userIdentities } from './0021-user-identities.ts';
import { redemptionExpiry } from './0022-redemption-expiry.ts';
import { channelHealth } from './0023-channel-health.ts';
import { tokenAllowances } from './0024-token-allowances.ts';
import { sealedRedemptionKeys } from './0025-sealed-redemption-keys.ts';
import { storedResponses } from './0026-stored-responses.ts';
import { requestOutcomes } from './0027-request-outcomes.ts';
import { deferredPostings } from './0028-deferred-postings.ts';
import { channelUsage } from './0029-channel-usage.ts';
import { statements } from './0030-statements.ts';
import { quotaWarnings } from './0033-quota-warnings.ts';
import { secondFactors } from './0034-second-factors.ts';
import { auditAndOrder } from './0035-audit-and-order.ts';
import { channelGroups } from './0037-channel-groups.ts';
import { drawingPrivateData } from './0038-drawing-private-data.ts';
import { taskResults } from './0042-task-results.ts';
import { taskLists } from './0045-task-lists.ts';
import { chargeJournal } from './0047-charge-journal.ts';
import { ledgerChain } from './0054-ledger-chain.ts';
import { rowChanges } from './0064-row-changes.ts';
import { nodes } from './0074-nodes.ts';
import { keptPrices } from './0084-kept-prices.ts';
import { refundedOrders } from './0088-refunded-orders.ts';
import { losses } from './0089-losses.ts';
import { backgroundResponses } from './0092-background-responses.ts';
import { conversations } from './0093-conversations.ts';
import { budgets } from './0095-budgets.ts';
import { fences } from './0096-fences.ts';
import { rates } from './0105-rates.ts';
import { tags } from './0107-tags.ts';
import { usersSeen } from './0110-users-seen.ts';
import { pace } from './0117-pace.ts';
import { playgroundItems } from './0122-playground-items.ts';
import { keyUsage } from './0125-key-usage.ts';
import { nodeWishes } from './0126-node-wishes.ts';
import { ledgerWindows } from './0130-ledger-windows.ts';
import { responseConversations } from './0135-response-conversations.ts';
import { numberedResults } from './0137-numbered-results.ts';
import { pacedBudgets } from './0140-paced-budgets.ts';
import { playgroundWindows } from './0142-playground-windows.ts';
import { giftedWays } from './0144-gifted-ways.ts';

/** All steps in order. Forward only: a released step is never changed; add a new one instead. */
export const migrations: Readonly<Record<string, Step>> = {
  '0001-users': users,
  '0002-tokens': tokens,
  '0003-channels': channels,
  '0004-abilities': abilities,
  '0005-options': options,
  '0006-redemptions': redemptions,
  '0007-logs': logs,
  '0008-ledger': ledger,
  '0009-holds': holds,
  '0010-quota-data': quotaData,
  '0011-setups': setups,
  '0012-sessions': sessions,
  '0013-verification-codes': verificationCodes,
  '0014-audit-logs': auditLogs,
  '0015-locks': locks,
  '0016-top-ups': topUps,
  '0017-midjourneys': midjourneys,
  '0018-tasks': tasks,
  '0019-model-square': modelSquare,
  '0020-uploads': uploads,
  '0021-user-identities': userIdentities,
  '0022-redemption-expiry': redemptionExpiry,
  '0023-channel-health': channelHealth,
  '0024-token-allowances': tokenAllowances,
  '0025-sealed-redemption-keys': sealedRedemptionKeys,
  '0026-stored-responses': storedResponses,
  '0027-request-outcomes': requestOutcomes,
  '0028-deferred-postings': deferredPostings,
  '0029-channel-usage': channelUsage,
  '0030-statements': statements,
  '0033-quota-warnings': quotaWarnings,
  '0034-second-factors': secondFactors,
  '0035-audit-and-order': auditAndOrder,
  '0037-channel-groups': channelGroups,
  '0038-drawing-private-data': drawingPrivateData,
  '0042-task-results': taskResults,
  '0045-task-lists': taskLists,
  '0047-charge-journal': chargeJournal,
  '0054-ledger-chain': ledgerChain,
  '0064-row-changes': rowChanges,
  '0074-nodes': nodes,
  '0084-kept-prices': keptPrices,
  '0088-refunded-orders': refundedOrders,
  '0089-losses': losses,
  '0092-background-responses': backgroundResponses,
  '0093-conversations': conversations,
  '0095-budgets': budgets,
  '0096-fences': fences,
  '0105-rates': rates,
  '0107-tags': tags,
  '0110-users-seen': usersSeen,
  '0117-pace': pace,
  '0122-playground-items': playgroundItems,
  '0125-key-usage': keyUsage,
  '0126-node-wishes': nodeWishes,
  '0130-ledger-windows': ledgerWindows,
  '0135-response-conversations': responseConversations,
  '0137-numbered-results': numberedResults,
  '0140-paced-budgets': pacedBudgets,
  '0142-playground-windows': playgroundWindows,
  '0144-gifted-ways': giftedWays,
};

import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { queryKeys } from './query-keys.ts';

/**
 * Returns a function that reads everything under these keys again; it resolves when what is shown
 * is fresh.
 */
function useInvalidate(...keys: readonly QueryKey[]): () => Promise<unknown> {
  const queryClient = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: callers pass constants of queryKeys
  return useCallback(
    () => Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
    [queryClient],
  );
}

/** The signed-in account: its balance and its invite earnings. */
export const useRefreshSelf = () => useInvalidate(queryKeys.selfAll);
/** The list of tokens shows their budgets. */
export const useRefreshTokens = () => useInvalidate(queryKeys.token.all, queryKeys.budget.all);
export const useRefreshRedemptions = () => useInvalidate(queryKeys.redemption.all);
/** Of what is under way on them. */
export const useRefreshNodes = () => useInvalidate(queryKeys.node.all);
export const useRefreshBudgets = () => useInvalidate(queryKeys.budget.all);
export const useRefreshLogs = () => useInvalidate(queryKeys.log.all);
export const useRefreshDrawings = () => useInvalidate(queryKeys.drawing.all);
export const useRefreshTasks = () => useInvalidate(queryKeys.task.all);
/** One of them may be the signed-in account. */
export const useRefreshUsers = () =>
  useInvalidate(queryKeys.user.all, queryKeys.selfAll, queryKeys.ledger.all);
/** The overview shows the health of channels. */
export const useRefreshChannels = () =>
  useInvalidate(queryKeys.channel.all, queryKeys.overview.all);
/** After a balance has changed. */
export const useRefreshWallet = () =>
  useInvalidate(queryKeys.selfAll, queryKeys.ledger.all, queryKeys.topUp.all);
export const useRefreshModelSquare = () => useInvalidate(queryKeys.modelSquare.all);
export const useRefreshPricing = () => useInvalidate(queryKeys.pricing.all);
/** The status object repeats some of the options. */
export const useRefreshOptions = () => useInvalidate(queryKeys.option.all, queryKeys.status);

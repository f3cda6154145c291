/** Server state: one cache, one place where failures surface. */
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from '../../core/contract/envelope.ts';
import { leaveWhenExpired, toastFailure } from './failures.ts';
import { onOtherLogin } from './session.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The caller shows the failure itself. */
      quiet?: boolean;
    };
    queryMeta: {
      readonly quiet?: boolean;
      readonly silent?: boolean;
      /** The same for everybody: it outlasts a login. */
      readonly isOfSite?: boolean;
    };
  }
}

// Not by a timer, as it is by default: a button is disabled before a second click of a quick hand is
// handled, or both would be calls.
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  // A list that failed says so in its place; only an expired login leaves the page.
  queryCache: new QueryCache({ onError: (error) => void leaveWhenExpired(error) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (leaveWhenExpired(error) || mutation.meta?.quiet === true) return;
      toastFailure(error);
    },
  }),
  defaultOptions: {
    // A gateway on the reader's own machine or network answers without the internet; a call that
    // fails says so.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      // Only a server that could not be reached is called again by itself.
      retry: (count, error) => count < 1 && error instanceof CallError && error.status === 0,
    },
  },
});

// What was read is for those who read it.
onOtherLogin(() => queryClient.removeQueries({ predicate: ({ meta }) => meta?.isOfSite !== true }));

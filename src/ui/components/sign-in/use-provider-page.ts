import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../../client/api.ts';

/**
 * Sends the browser to a provider's page; it comes back to `/oauth/<id>`
 * (docs/rules/accounts.md#provider-visits).
 */
export function useProviderPage() {
  const visit = useMutation({
    mutationFn: async ({ id, aff }: { readonly id: string; readonly aff?: string }) => {
      const { url } = await client.oauth.begin({ type: id, ...(aff !== undefined && { aff }) });
      window.location.assign(url);
      // Until the page is left, its button shows that it works.
      await new Promise(() => {});
    },
  });
  const { reset } = visit;
  useEffect(() => {
    // The reader went back, and the browser shows the page as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [reset]);
  return visit;
}

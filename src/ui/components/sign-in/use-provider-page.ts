import { useMutation } from '@tanstack/react-query';
import { client } from '../../client/api.ts';

/** Sends the browser to a provider's page; it comes back to `/oauth/<id>` (docs/rules/accounts.md#provider-visits). */
export function useProviderPage() {
  return useMutation({
    mutationFn: async ({ id, aff }: { readonly id: string; readonly aff?: string }) => {
      const { url } = await client.oauth.begin({ type: id, ...(aff !== undefined && { aff }) });
      window.location.assign(url);
      // Until the page is left, its button shows that it works.
      await new Promise(() => {});
    },
  });
}

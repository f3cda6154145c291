import { Suspense } from 'react';
import { latePart } from '../../../client/late-part.ts';
import { signInProviders } from '../../../components/sign-in/providers.ts';
import { loadTextPart } from '../../../i18n/index.ts';
import type { ServerStatus } from '../../../queries/use-status.ts';

const ProviderLogin = latePart(async () => {
  const [module] = await Promise.all([import('./provider-login.tsx'), loadTextPart('identities')]);
  return { default: module.ProviderLogin };
});

/** Loads the buttons of providers where one is switched on. */
export function OtherLogins({ status }: { readonly status: ServerStatus | undefined }) {
  const enabled =
    status === undefined ? [] : signInProviders.filter((provider) => provider.isEnabled(status));
  if (enabled.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ProviderLogin providers={enabled} />
    </Suspense>
  );
}

import type { Cluster } from '../../cluster/cluster.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Upstream } from '../../upstream/send.ts';
import type { SignInMethod } from '../sign-in/sign-in-method.ts';
import { createGithubMethod } from './github-method.ts';
import { createLinuxdoMethod } from './linuxdo-method.ts';
import { createOidcDiscovery, type OidcDiscovery } from './oidc-discovery.ts';
import { createOidcMethod } from './oidc-method.ts';
import { createProviderClient } from './provider-client.ts';
import { createTelegramMethod } from './telegram-method.ts';
import type { ThirdPartyDeps } from './third-party-deps.ts';
import { createWechatMethod } from './wechat-method.ts';

export interface ThirdPartyMethodDeps extends Omit<ThirdPartyDeps, 'client'> {
  readonly cluster: Pick<Cluster, 'counter'>;
  readonly logger: Logger;
  readonly upstream: Pick<Upstream, 'collect'>;
}

/** The sign-in methods of third parties, in the order in which they are offered. */
export function createThirdPartyMethods(deps: ThirdPartyMethodDeps): {
  readonly methods: readonly SignInMethod[];
  readonly discovery: OidcDiscovery;
} {
  const client = createProviderClient(deps.upstream, deps.logger);
  const discovery = createOidcDiscovery({ client, clock: deps.clock });
  const all = { ...deps, client, discovery };
  const methods = [
    createGithubMethod(all),
    createOidcMethod(all),
    createLinuxdoMethod(all),
    createWechatMethod(all),
    createTelegramMethod(all),
  ];
  return { methods, discovery };
}

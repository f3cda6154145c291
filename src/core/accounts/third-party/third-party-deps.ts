import type { Config } from '../../config/schema.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { ProviderClient } from './provider-client.ts';

export interface ThirdPartyDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly config: Pick<
    Config,
    | 'githubEndpoint'
    | 'githubApiEndpoint'
    | 'linuxDoAuthorizeEndpoint'
    | 'linuxDoTokenEndpoint'
    | 'linuxDoUserEndpoint'
  >;
  readonly client: ProviderClient;
  /** The address of this site, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
}

/** The code of an authorization. Throws AppError invalid_parameter without one. */
export function codeOf({ code = '' }: Readonly<Record<string, string>>): string {
  if (code.trim() === '') throw new AppError('invalid_parameter', { field: 'code' });
  return code.trim();
}

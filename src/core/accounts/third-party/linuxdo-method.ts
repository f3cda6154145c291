/** LinuxDO (docs/rules/accounts.md#linuxdo; LINUX DO Connect's documentation). */
import { AppError } from '../../kernel/errors.ts';
import type { Newcomer, SignInMethod } from '../sign-in/sign-in-method.ts';
import { formBody, textOf, withQuery } from './provider-client.ts';
import { codeOf, type ThirdPartyDeps } from './third-party-deps.ts';

const label = 'LinuxDO';
const provider = 'linux_do';

export function createLinuxdoMethod({
  options,
  config,
  client,
  baseUrl,
}: ThirdPartyDeps): SignInMethod {
  const redirectUri = () => `${baseUrl()}/oauth/linuxdo`;

  const exchange = async (code: string): Promise<string> => {
    const credentials = `${options.get('LinuxDOClientId')}:${options.get('LinuxDOClientSecret')}`;
    const form = formBody({ grant_type: 'authorization_code', code, redirect_uri: redirectUri() });
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    const headers = { ...form.headers, authorization };
    const reply = await client.read(label, { ...form, url: config.linuxDoTokenEndpoint, headers });
    const token = textOf(reply['access_token']);
    if (token === '') throw new AppError('provider_failed', { provider: label });
    return token;
  };

  /** Why LinuxDO's account is not good enough for a new account here. */
  const refusalOf = (profile: Readonly<Record<string, unknown>>): Pick<Newcomer, 'refusal'> => {
    const least = options.get('LinuxDOMinimumTrustLevel');
    const level = Number(profile['trust_level'] ?? 0);
    if (profile['active'] === false || profile['silenced'] === true)
      return { refusal: new AppError('provider_account_inactive', { provider: label }) };
    return level >= least ? {} : { refusal: new AppError('trust_level_too_low', { min: least }) };
  };

  return {
    id: 'linuxdo',
    label,
    provider,
    isEnabled: (from) => from.get('LinuxDOOAuthEnabled'),
    isOpenTo: (_, identities) => identities[provider] !== undefined,
    begin: ({ state }) =>
      withQuery(label, config.linuxDoAuthorizeEndpoint, {
        response_type: 'code',
        client_id: options.get('LinuxDOClientId'),
        redirect_uri: redirectUri(),
        state,
      }),
    complete: async (input) => {
      const token = await exchange(codeOf(input));
      const headers = { authorization: `Bearer ${token}` };
      const profile = await client.read(label, {
        method: 'GET',
        url: config.linuxDoUserEndpoint,
        headers,
      });
      const subject = textOf(profile['id']);
      if (subject === '' || subject === '0')
        throw new AppError('provider_failed', { provider: label });
      const displayName = textOf(profile['name']) || textOf(profile['username']);
      return {
        identity: { provider, subject },
        newcomer: { prefix: 'linuxdo_', displayName, ...refusalOf(profile) },
      };
    },
  };
}

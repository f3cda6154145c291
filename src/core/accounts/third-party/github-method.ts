/** GitHub (docs/rules/accounts.md#github; GitHub Docs, "Authorizing OAuth apps"). */
import { AppError } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/json.ts';
import type { FormerIdentity, SignInMethod } from '../sign-in/sign-in-method.ts';
import { textOf, withQuery } from './provider-client.ts';
import { codeOf, type ThirdPartyDeps } from './third-party-deps.ts';

const label = 'GitHub';
const provider = 'github';

export function createGithubMethod({ options, config, client }: ThirdPartyDeps): SignInMethod {
  const site = config.githubEndpoint.replace(/\/+$/, '');
  const api = config.githubApiEndpoint.replace(/\/+$/, '');
  const get = (path: string, token: string) =>
    ({ method: 'GET', url: api + path, headers: { authorization: `Bearer ${token}` } }) as const;

  const exchange = async (code: string): Promise<string> => {
    const body = {
      client_id: options.get('GitHubClientId'),
      client_secret: options.get('GitHubClientSecret'),
      code,
    };
    const reply = await client.read(label, {
      method: 'POST',
      url: `${site}/login/oauth/access_token`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const token = textOf(reply['access_token']);
    // GitHub reports failures with status 200.
    if (token === '')
      throw new AppError('provider_refused', {
        reason: textOf(reply['error_description'] ?? reply['error']),
      });
    return token;
  };

  const verifiedEmails = async (token: string): Promise<readonly string[]> => {
    const entries = await client.readList(label, get('/user/emails', token));
    return entries.flatMap((entry) =>
      isObject(entry) && entry['verified'] === true ? [textOf(entry['email']).toLowerCase()] : [],
    );
  };

  /** A name of digits only looks like an id. */
  const formerOf = (login: string, token: string): { formerly?: FormerIdentity } =>
    login === '' || /^\d+$/.test(login)
      ? {}
      : { formerly: { subject: login, verifiedEmails: () => verifiedEmails(token) } };

  return {
    id: 'github',
    label,
    provider,
    isEnabled: (from) => from.get('GitHubOAuthEnabled'),
    isOpenTo: (_, identities) => identities[provider] !== undefined,
    begin: ({ state }) =>
      withQuery(label, `${site}/login/oauth/authorize`, {
        client_id: options.get('GitHubClientId'),
        state,
        scope: 'user:email',
      }),
    complete: async (input) => {
      const token = await exchange(codeOf(input));
      const { id, login, name } = await client.read(label, get('/user', token));
      const subject = textOf(id);
      if (subject === '') throw new AppError('provider_failed', { provider: label });
      return {
        identity: { provider, subject },
        newcomer: { prefix: 'github_', displayName: textOf(name) || textOf(login) },
        ...formerOf(textOf(login), token),
      };
    },
  };
}

/**
 * A provider of OpenID Connect (docs/rules/accounts.md#oidc; OpenID Connect Core 1.0, section 3.1).
 */

import { errors } from 'jose';
import { AppError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { isMailAddress } from '../../notices/mail.ts';
import type { SignInMethod } from '../sign-in/sign-in-method.ts';
import { checkIdToken } from './id-token.ts';
import type { OidcDiscovery } from './oidc-discovery.ts';
import { formBody, textOf, withQuery } from './provider-client.ts';
import { codeOf, type ThirdPartyDeps } from './third-party-deps.ts';

const label = 'OIDC';
const provider = 'oidc';

export interface OidcMethodDeps extends ThirdPartyDeps {
  readonly discovery: OidcDiscovery;
  readonly logger: Logger;
}

export function createOidcMethod({
  options,
  client,
  baseUrl,
  clock,
  discovery,
  logger,
}: OidcMethodDeps): SignInMethod {
  const redirectUri = () => `${baseUrl()}/oauth/oidc`;

  const exchange = async (code: string, verifier: string) => {
    const form = formBody({
      client_id: options.get('oidc.client_id'),
      client_secret: options.get('oidc.client_secret'),
      code,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri(),
      ...(verifier !== '' && { code_verifier: verifier }),
    });
    const reply = await client.read(label, { ...form, url: options.get('oidc.token_endpoint') });
    const token = textOf(reply['access_token']);
    if (token === '') throw new AppError('provider_failed', { provider: label });
    return { token, idToken: textOf(reply['id_token']) };
  };

  const check = async (idToken: string, nonce: string): Promise<string> => {
    const wellKnown = options.get('oidc.well_known');
    const rules = { audience: options.get('oidc.client_id'), nonce, now: clock.now() };
    if (wellKnown === '') return checkIdToken(idToken, rules);
    const { issuer, jwks_uri: jwksUri } = await discovery.known(wellKnown);
    const checkSigned = () =>
      checkIdToken(idToken, { ...rules, signed: { issuer, keys: discovery.keys(jwksUri) } });
    return checkSigned().catch((error: Error) => {
      const isForged = error.cause instanceof errors.JWSSignatureVerificationFailed;
      if (isForged && discovery.forgetKeys(jwksUri)) return checkSigned();
      throw error;
    });
  };

  /** Throws AppError id_token_invalid; a token that the provider did not send needs no check. */
  const subjectOf = async (idToken: string, nonce: string): Promise<string | undefined> => {
    if (idToken === '') return undefined;
    try {
      return await check(idToken, nonce);
    } catch (error) {
      const { cause = error } = error as Error;
      logger.warn({ error: String(cause) }, 'an id_token was refused');
      throw error;
    }
  };

  return {
    id: 'oidc',
    label,
    provider,
    isEnabled: (from) => from.get('oidc.enabled'),
    isOpenTo: (_, identities) => identities[provider] !== undefined,
    begin: ({ state, nonce, challenge }) =>
      withQuery(label, options.get('oidc.authorization_endpoint'), {
        client_id: options.get('oidc.client_id'),
        redirect_uri: redirectUri(),
        response_type: 'code',
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    complete: async (input) => {
      const { token, idToken } = await exchange(codeOf(input), input['verifier'] ?? '');
      const named = await subjectOf(idToken, input['nonce'] ?? '');
      const headers = { authorization: `Bearer ${token}` };
      const profile = await client.read(label, {
        method: 'GET',
        url: options.get('oidc.user_info_endpoint'),
        headers,
      });
      const subject = textOf(profile['sub']);
      if (subject === '') throw new AppError('provider_failed', { provider: label });
      // OpenID Connect Core 1.0, section 5.3.2.
      if (named !== undefined && named !== subject) throw new AppError('id_token_invalid');
      const offeredName = textOf(profile['preferred_username']);
      const email = textOf(profile['email']).trim().toLowerCase();
      return {
        identity: { provider, subject },
        newcomer: {
          prefix: 'oidc_',
          displayName: textOf(profile['name']) || offeredName,
          ...(offeredName !== '' && { offeredName }),
          ...(profile['email_verified'] === true && isMailAddress(email) && { email }),
        },
      };
    },
  };
}

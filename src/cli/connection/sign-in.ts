/**
 * Signs in by password and creates a system access token, for machines that have only a name and a
 * password.
 */
import { authApi } from '../../core/contract/auth.ts';
import { layOutCall } from '../../core/contract/client.ts';
import type { Endpoint, InputOf, OutputOf } from '../../core/contract/endpoint.ts';
import { CallError, openEnvelope } from '../../core/contract/envelope.ts';
import { secondStepApi } from '../../core/contract/second-factor.ts';
import { sessionApi } from '../../core/contract/sessions.ts';
import { selfApi } from '../../core/contract/user.ts';
import type { Language } from '../base/text.ts';
import { send } from './http-transport.ts';

export interface SignIn {
  readonly username: string;
  readonly password: string;
  /**
   * The code of the authenticator app, or a recovery code; requested only where the account needs
   * one.
   */
  secondFactor(): Promise<string>;
  /** Called before a token is created that revokes one in use; a rejection keeps that one. */
  mayReplace(): Promise<void>;
}

/**
 * The login ends again when the token is created. Throws CallError, and what the functions of
 * `signIn` throw.
 */
export async function createAccessToken(
  url: string,
  language: Language,
  signIn: SignIn,
): Promise<string> {
  let headers: Record<string, string> = {};
  async function call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
    const reply = await send(
      { url, language },
      layOutCall(endpoint, input as Record<string, unknown>),
      headers,
    );
    const { output } = openEnvelope(endpoint, reply);
    if (reply.cookie !== '') headers = { ...headers, cookie: reply.cookie };
    return output as OutputOf<E>;
  }
  const { username, password } = signIn;
  const user = await call(authApi.login, { username, password }).catch(async (error: unknown) => {
    const challenge = error instanceof CallError ? error.data?.challenge : undefined;
    if (challenge === undefined) throw error;
    return call(secondStepApi.complete, { challenge, code: await signIn.secondFactor() });
  });
  headers['New-Api-User'] = String(user.id);
  try {
    if ((await call(sessionApi.credentials, {})).has_system_token) await signIn.mayReplace();
    return await call(selfApi.systemToken, {});
  } finally {
    await call(authApi.logout, {});
  }
}

/** A real OpenID Connect provider, whose login page knows who comes and agrees at once. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';
import { type Lifetime, startProvider } from './provider-server.ts';

export const oidcClient = { id: 'gate', secret: 'a secret of the OIDC client' };

type Claims = { readonly sub: string } & Readonly<Record<string, unknown>>;
type Change = (body: Record<string, unknown>) => unknown;

export interface OidcProvider {
  readonly url: string;
  readonly wellKnown: string;
  /** Who logs in next. */
  setUser(claims: Claims): void;
  /** From now on other keys sign, and only they are published. */
  rotateKeys(): void;
  /** Opens the login page as a new browser does. Returns the address to which it is sent back. */
  consent(address: string): Promise<URL>;
  /** Changes the JSON replies of an endpoint (`/token`, `/me`, `/jwks`); undefined: no more. */
  tamper(path: string, change: Change | undefined): void;
}

export async function startOidcProvider(
  redirectUri: () => string,
  lifetime: Lifetime = 'test',
): Promise<OidcProvider> {
  const accounts = new Map<string, Claims>();
  const changes = new Map<string, Change>();
  let user: Claims = { sub: 'nobody' };
  let serve: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.writeHead(503).end();
  const url = await startProvider((request, response) => serve(request, response), lifetime);

  const start = () => {
    const provider = createQuietly(
      () => new Provider(url, configurationOf(redirectUri(), accounts)),
    );
    provider.use(async (context, next) => {
      await next();
      const change = changes.get(context.path);
      const { body } = context;
      if (change !== undefined && typeof body === 'object' && body !== null)
        context.body = change({ ...body });
    });
    const handle = provider.callback();
    const logIn = async (request: IncomingMessage, response: ServerResponse) => {
      accounts.set(user.sub, user);
      await provider.interactionFinished(request, response, { login: { accountId: user.sub } });
    };
    serve = (request, response) =>
      void (request.url?.startsWith('/interaction/')
        ? logIn(request, response)
        : handle(request, response));
  };
  start();

  return {
    url,
    wellKnown: `${url}/.well-known/openid-configuration`,
    setUser: (claims) => {
      user = claims;
    },
    rotateKeys: start,
    consent: async (address) => {
      const cookies = new Map<string, string>();
      let place = new URL(address);
      while (place.origin === url) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const reply = await fetch(place, { redirect: 'manual', headers: { cookie } });
        for (const line of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const next = reply.headers.get('location');
        if (next === null)
          throw new Error(`the OIDC provider did not redirect: ${await reply.text()}`);
        place = new URL(next, place);
      }
      return place;
    },
    tamper: (path, change) => {
      if (change === undefined) changes.delete(path);
      else changes.set(path, change);
    },
  };
}

/** It warns that it keeps its data in memory, which is what a test needs. */
function createQuietly<T>(create: () => T): T {
  const { warn } = console;
  console.warn = () => {};
  try {
    return create();
  } finally {
    console.warn = warn;
  }
}

/** Two that take turns: a key takes 100 ms and more to make. */
const keys = { next: 0, made: [] as JsonWebKey[] };
function nextKey(): JsonWebKey {
  keys.next = 1 - keys.next;
  keys.made[keys.next] ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
  }).privateKey.export({ format: 'jwk' });
  return keys.made[keys.next] as JsonWebKey;
}

function configurationOf(
  redirectUri: string,
  accounts: ReadonlyMap<string, Claims>,
): Configuration {
  const key = nextKey();
  return {
    clients: [
      {
        client_id: oidcClient.id,
        client_secret: oidcClient.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...key, kid: randomUUID(), alg: 'RS256', use: 'sig' }] } as NonNullable<
      Configuration['jwks']
    >,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    cookies: { keys: ['a key of a test'] },
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
    },
    pkce: { required: () => false },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({
      accountId: id,
      claims: async () => accounts.get(id) ?? { sub: id },
    }),
    // Whoever logs in has consented.
    loadExistingGrant: async (context) => {
      const { client, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
}

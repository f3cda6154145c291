/**
 * Providers of sign-ins: small servers that speak what GitHub, LinuxDO and a WeChat server
 * document, and Telegram's signature. They give out each code once.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Lifetime, startProvider } from './provider-server.ts';

export interface CodeProvider {
  readonly url: string;
  /** Whose account the next consent is for: the fields of the profile. */
  setProfile(profile: Readonly<Record<string, unknown>>): void;
  /** A code as the consent page gives it. */
  newCode(): string;
  /** The next replies are these instead. */
  misbehave(reply: { status?: number; body?: string } | undefined): void;
  /** Requests so far: method, path, headers and body. */
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
}

export const githubClient = { id: 'github-client', secret: 'github-secret' };
export const linuxdoClient = { id: 'linuxdo-client', secret: 'linuxdo-secret' };
export const wechatToken = 'wechat-token';

type Answer = (
  path: URL,
  request: { readonly headers: IncomingMessage['headers']; readonly body: string },
  codes: {
    use(code: string | null | undefined): string | undefined;
    profileOf(authorization: string | undefined): Profile | undefined;
  },
) => { readonly status?: number; readonly json?: unknown; readonly redirect?: string };
type Profile = Readonly<Record<string, unknown>>;

/** A server whose codes become tokens, and whose tokens show the profile of the consent. */
async function startCodeProvider(
  first: Profile,
  answer: Answer,
  lifetime: Lifetime,
): Promise<CodeProvider> {
  let profile = first;
  let trouble: { status?: number; body?: string } | undefined;
  const codes = new Map<string, Profile>();
  const tokens = new Map<string, Profile>();
  const requests: { path: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const newCode = () => {
    const code = randomBytes(10).toString('hex');
    codes.set(code, profile);
    return code;
  };
  const use = (code: string | null | undefined) => {
    const owner = codes.get(code ?? '');
    if (owner === undefined) return undefined;
    codes.delete(code ?? '');
    const token = randomBytes(10).toString('hex');
    tokens.set(token, owner);
    return token;
  };
  const profileOf = (authorization = '') => tokens.get(authorization.replace(/^Bearer /, ''));
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const path = new URL(request.url ?? '/', 'http://provider');
    requests.push({ path: path.pathname + path.search, headers: request.headers, body });
    if (trouble !== undefined) {
      response.statusCode = trouble.status ?? 200;
      response.end(trouble.body ?? '{}');
      return;
    }
    // The consent page: a browser that opens it has consented.
    const consent = path.searchParams.get('state') !== null;
    const {
      status = 200,
      json,
      redirect,
    } = answer(path, { headers: request.headers, body }, { use, profileOf });
    if (consent && redirect !== undefined) {
      const target = new URL(redirect);
      target.searchParams.set('code', newCode());
      target.searchParams.set('state', path.searchParams.get('state') ?? '');
      response.writeHead(302, { location: target.href }).end();
      return;
    }
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(json ?? {}));
  };
  const url = await startProvider((request, response) => void reply(request, response), lifetime);
  return {
    url,
    requests,
    newCode,
    setProfile: (next) => {
      profile = next;
    },
    misbehave: (next) => {
      trouble = next;
    },
  };
}

/** `callback`: the registered address, to which the consent page sends the browser back. */
export function startGithub(
  callback: () => string,
  lifetime: Lifetime = 'test',
): Promise<CodeProvider> {
  const answer: Answer = (path, { headers, body }, { use, profileOf }) => {
    switch (path.pathname) {
      case '/login/oauth/authorize':
        return path.searchParams.get('client_id') === githubClient.id
          ? { redirect: callback() }
          : { status: 404 };
      case '/login/oauth/access_token': {
        const { client_id, client_secret, code } = JSON.parse(body) as Record<string, string>;
        const isClient = client_id === githubClient.id && client_secret === githubClient.secret;
        const token = isClient ? use(code) : undefined;
        // GitHub reports failures with status 200.
        if (token !== undefined)
          return { json: { access_token: token, token_type: 'bearer', scope: 'user:email' } };
        return {
          json: {
            error: 'bad_verification_code',
            error_description: 'The code passed is incorrect or expired.',
          },
        };
      }
      case '/api/user':
      case '/api/user/emails': {
        const profile = profileOf(headers.authorization);
        if (profile === undefined || headers['user-agent'] === undefined)
          return { status: 401, json: { message: 'Bad credentials' } };
        const { emails, ...user } = profile;
        return { json: path.pathname === '/api/user' ? user : (emails ?? []) };
      }
      default:
        return { status: 404 };
    }
  };
  return startCodeProvider({ id: 583231, login: 'octocat', name: 'The Octocat' }, answer, lifetime);
}

export function startLinuxdo(lifetime: Lifetime = 'test'): Promise<CodeProvider> {
  const answer: Answer = (path, { headers, body }, { use, profileOf }) => {
    const form = new URLSearchParams(body);
    switch (path.pathname) {
      case '/oauth2/authorize':
        return path.searchParams.get('client_id') === linuxdoClient.id &&
          path.searchParams.get('response_type') === 'code'
          ? { redirect: path.searchParams.get('redirect_uri') ?? '' }
          : { status: 400 };
      case '/oauth2/token': {
        const expected = `Basic ${Buffer.from(`${linuxdoClient.id}:${linuxdoClient.secret}`).toString('base64')}`;
        const isRight =
          headers.authorization === expected &&
          form.get('grant_type') === 'authorization_code' &&
          form.get('redirect_uri')?.endsWith('/oauth/linuxdo');
        const token = isRight ? use(form.get('code')) : undefined;
        return token === undefined
          ? { status: 400, json: { error: 'invalid_grant' } }
          : { json: { access_token: token, token_type: 'bearer' } };
      }
      case '/api/user': {
        const profile = profileOf(headers.authorization);
        return profile === undefined ? { status: 401 } : { json: profile };
      }
      default:
        return { status: 404 };
    }
  };
  const first = {
    id: 1001,
    username: 'tux',
    name: 'Tux',
    active: true,
    trust_level: 2,
    silenced: false,
  };
  return startCodeProvider(first, answer, lifetime);
}

/** `newCode` is what the official account sends to a follower; the profile has its `id`. */
export function startWechatServer(lifetime: Lifetime = 'test'): Promise<CodeProvider> {
  const answer: Answer = (path, { headers }, { use, profileOf }) => {
    if (path.pathname !== '/api/wechat/user') return { status: 404 };
    if (headers.authorization !== wechatToken)
      return { json: { success: false, message: '无权进行此操作', data: '' } };
    const token = use(path.searchParams.get('code'));
    const id = token === undefined ? '' : profileOf(token)?.['id'];
    return { json: { success: true, message: '', data: id } };
  };
  return startCodeProvider({ id: 'wx-follower-1' }, answer, lifetime);
}

/** The fields as Telegram's widget returns them, signed as Telegram documents. */
export function signByTelegram(
  botToken: string,
  fields: Readonly<Record<string, string>>,
): Record<string, string> {
  const check = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n');
  const key = createHash('sha256').update(botToken).digest();
  return { ...fields, hash: createHmac('sha256', key).update(check).digest('hex') };
}

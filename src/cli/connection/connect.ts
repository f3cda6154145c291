/**
 * Connects to the gateway a command works on: a remote one, the one running on the data folder, or
 * the folder itself.
 */
import type { GatewayAddress } from '../../core/config/gateway-file.ts';
import { type Client, createClient, type Transport } from '../../core/contract/client.ts';
import { Secret } from '../../core/kernel/secret.ts';
import type { Values } from '../base/flags.ts';
import type { Language } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import { createHttpTransport, type HttpAddress } from './http-transport.ts';
import { profilePath, readProfiles } from './profiles.ts';

export interface Connection {
  readonly transport: Transport;
  readonly client: Client;
  /**
   * `remote` and `running` go through a gateway; `direct` is this process on the data folder, under
   * its lock.
   */
  readonly kind: 'remote' | 'running' | 'direct';
  /** Shown to users: a URL, or the data folder. */
  readonly address: string;
  close(): Promise<void>;
}

export interface ConnectOptions extends Pick<HttpAddress, 'timeoutMs'> {
  /** True: a data folder without a site gets a new one. */
  readonly makesSite?: boolean;
}

/**
 * Uses `--server` or `--profile`, else the gateway whose address is in the data folder, else the
 * folder itself (docs/rules/command-line.md#which-gateway). Throws UsageError for half an address,
 * AppError data_folder_locked and site_missing, and CallError gateway_unreachable. Without an
 * access token the calls of visitors are possible; others throw UsageError.
 */
export async function connect(
  values: Values,
  environment: NodeJS.ProcessEnv,
  language: Language,
  { timeoutMs, makesSite = false }: ConnectOptions = {},
): Promise<Connection> {
  const remote = remoteAddress(values, environment);
  if (remote !== undefined) {
    const key = remote.token === undefined ? undefined : new Secret(remote.token);
    const transport = createHttpTransport({ url: remote.url, key, language, timeoutMs });
    if (key === undefined)
      return connection('remote', remote.url, asVisitor(transport), async () => {});
    return connection('remote', remote.url, transport, async () => {});
  }
  const { config } = await loadCommandConfig(values, environment);
  const { readGatewayFile } = await import('../../core/config/gateway-file.ts');
  const running = readGatewayFile(config.dataDir);
  if (running !== undefined) {
    const open = ({ url, key }: GatewayAddress) =>
      createHttpTransport({ url, key, language, isOperator: true, timeoutMs });
    const transport = followGateway(running, () => readGatewayFile(config.dataDir), open);
    return connection('running', running.url, transport, async () => {});
  }
  const { openDirectly } = await import('./connect-directly.ts');
  const direct = await openDirectly(config, { language, makesSite });
  return connection('direct', config.dataDir, direct.transport, direct.close);
}

/**
 * Each start of a gateway has a new key, and may have another address. A command that lives longer
 * follows it: after a call that failed, the next one reads both again.
 */
function followGateway(
  first: GatewayAddress,
  read: () => GatewayAddress | undefined,
  open: (gateway: GatewayAddress) => Transport,
): Transport {
  let transport = open(first);
  let hasFailed = false;
  return async (call, input) => {
    const latest = hasFailed ? read() : undefined;
    if (latest !== undefined) transport = open(latest);
    hasFailed = true;
    const reply = await transport(call, input);
    hasFailed = reply.status === 401;
    return reply;
  };
}

/**
 * The process configuration as a command sees it: the data folder, and for maintenance the
 * database, may come from a flag.
 */
export async function loadCommandConfig(values: Values, environment: NodeJS.ProcessEnv) {
  const { loadConfig } = await import('../../core/config/load.ts');
  const flags = {
    'data-dir': values.text('data-dir'),
    'database-url': values.text('database-url'),
  };
  return loadConfig({ flags, environment, cwd: process.cwd() });
}

function connection(
  kind: Connection['kind'],
  address: string,
  transport: Transport,
  close: () => Promise<void>,
): Connection {
  return { kind, address, transport, client: createClient(transport), close };
}

/**
 * Whether the flags and variables name a gateway elsewhere. Throws UsageError as {@link connect}
 * does.
 */
export const isRemote = (values: Values, environment: NodeJS.ProcessEnv): boolean =>
  remoteAddress(values, environment) !== undefined;

interface RemoteAddress {
  readonly url: string;
  readonly token: string | undefined;
}

/**
 * What is typed wins over variables: `--data-dir` over a TURNPIKE_PROFILE, `--server` over both.
 * Undefined: a gateway of this machine.
 */
function remoteAddress(values: Values, environment: NodeJS.ProcessEnv): RemoteAddress | undefined {
  const typed = places.filter((name) => values.typed(name) !== undefined);
  if (typed.length > 1)
    throw new UsageError(texts.onePlace, { first: typed[0] ?? '', second: typed[1] ?? '' });
  const place = typed[0] ?? (values.has('profile') ? 'profile' : 'server');
  if (place === 'data-dir') return undefined;
  if (place === 'profile') return profileAddress(values.text('profile') ?? '', environment);
  const url = values.text('server');
  const token = values.text('access-token');
  if (url === undefined && token === undefined) return undefined;
  if (url === undefined) throw new UsageError(texts.server);
  if (!isGatewayUrl(url)) throw new UsageError(texts.url, { url });
  return { url, token };
}

const places = ['server', 'profile', 'data-dir'] as const;

export function isGatewayUrl(text: string): boolean {
  return /^https?:\/\/[^/]/.test(text) && URL.canParse(text);
}

function profileAddress(name: string, environment: NodeJS.ProcessEnv): RemoteAddress {
  const profile = readProfiles(profilePath(environment))[name];
  if (profile === undefined) throw new UsageError(texts.profile, { name });
  return { url: profile.server, token: profile.access_token };
}

function asVisitor(transport: Transport): Transport {
  return async (call, input) => {
    if (call.access !== 'visitor') throw new UsageError(texts.token);
    return transport(call, input);
  };
}

const texts = {
  onePlace: { en: 'Use either --{first} or --{second}', zh: '--{first} 与 --{second} 只能选一个' },
  profile: {
    en: 'No profile named {name}: see `turnpike profiles list`',
    zh: '没有名为 {name} 的配置：见 `turnpike profiles list`',
  },
  server: { en: '--access-token needs --server', zh: '--access-token 需要 --server' },
  token: {
    en: '--server needs --access-token (or TURNPIKE_ACCESS_TOKEN)',
    zh: '--server 需要 --access-token（或 TURNPIKE_ACCESS_TOKEN）',
  },
  url: {
    en: '--server {url}: use http://… or https://…',
    zh: '--server {url}：请使用 http://… 或 https://…',
  },
} as const;

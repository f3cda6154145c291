/** Connects to the gateway a command works on: a remote one, the one running on the data folder, or the folder itself. */
import { type Client, createClient, type Transport } from '../../core/contract/client.ts';
import { Secret } from '../../core/kernel/secret.ts';
import type { Values } from '../base/flags.ts';
import type { Language } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import { createHttpTransport } from './http-transport.ts';
import { profilePath, readProfiles } from './profiles.ts';

export interface Connection {
  readonly transport: Transport;
  readonly client: Client;
  /** `remote` and `running` go through a gateway; `direct` is this process on the data folder, under its lock. */
  readonly kind: 'remote' | 'running' | 'direct';
  /** Shown to users: a URL, or the data folder. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Uses `--server` or `--profile`, else the gateway whose address is in the data folder, else the folder itself
 * (docs/rules/command-line.md#which-gateway). Throws UsageError if server or access token is missing, AppError data_folder_locked and
 * CallError gateway_unreachable.
 */
export async function connect(values: Values, environment: NodeJS.ProcessEnv, language: Language): Promise<Connection> {
  const remote = remoteAddress(values, environment);
  if (remote !== undefined) {
    const transport = createHttpTransport({ url: remote.url, key: new Secret(remote.token), language });
    return connection('remote', remote.url, transport, async () => {});
  }
  const { config } = await loadCommandConfig(values, environment);
  const { readGatewayFile } = await import('../../core/config/gateway-file.ts');
  const running = readGatewayFile(config.dataDir);
  if (running !== undefined) {
    const transport = createHttpTransport({ url: running.url, key: running.key, language, isOperator: true });
    return connection('running', running.url, transport, async () => {});
  }
  const { openDirectly } = await import('./connect-directly.ts');
  const direct = await openDirectly(config, language);
  return connection('direct', config.dataDir, direct.transport, direct.close);
}

/** The process configuration as a command sees it: the data folder, and for maintenance the database, may come from a flag. */
export async function loadCommandConfig(values: Values, environment: NodeJS.ProcessEnv) {
  const { loadConfig } = await import('../../core/config/load.ts');
  const flags = { 'data-dir': values.text('data-dir'), 'database-url': values.text('database-url') };
  return loadConfig({ flags, environment, cwd: process.cwd() });
}

function connection(kind: Connection['kind'], address: string, transport: Transport, close: () => Promise<void>): Connection {
  return { kind, address, transport, client: createClient(transport), close };
}

/** Whether the flags name a gateway elsewhere. */
export const isRemote = (values: Values): boolean =>
  ['profile', 'server', 'access-token'].some((flag) => values.text(flag) !== undefined);

function remoteAddress(values: Values, environment: NodeJS.ProcessEnv): { url: string; token: string } | undefined {
  const name = values.text('profile');
  if (name !== undefined) {
    const profile = readProfiles(profilePath(environment))[name];
    if (profile === undefined) throw new UsageError(texts.profile, { name });
    return { url: profile.server, token: profile.access_token };
  }
  const url = values.text('server');
  const token = values.text('access-token');
  if (url === undefined && token === undefined) return undefined;
  if (url === undefined) throw new UsageError(texts.server);
  if (token === undefined) throw new UsageError(texts.token);
  if (!/^https?:\/\/[^/]/.test(url)) throw new UsageError(texts.url, { url });
  return { url, token };
}

const texts = {
  profile: {
    en: 'No profile named {name}: see `turnpike profiles list`',
    zh: '没有名为 {name} 的配置：见 `turnpike profiles list`',
  },
  server: { en: '--access-token needs --server', zh: '--access-token 需要 --server' },
  token: {
    en: '--server needs --access-token (or TURNPIKE_ACCESS_TOKEN)',
    zh: '--server 需要 --access-token（或 TURNPIKE_ACCESS_TOKEN）',
  },
  url: { en: '--server {url}: use http://… or https://…', zh: '--server {url}：请使用 http://… 或 https://…' },
} as const;

/**
 * The gateway for agents: the built program on a new data folder, configured by its own command
 * line.
 */
import { newDataFolder, runBinary, runJson, serveBinary } from '../support/binary.ts';
import type { Form } from './agent.ts';
import type { Tokens } from './script.ts';
import { upstreamKeys, type Wire } from './wire.ts';

/**
 * Ratios with which every charge is an integer: quota per token, and factors for the other kinds.
 */
const ratio = 2;
const factors = { cached: 0.5, written: 1.25, output: 3 };

export function chargeFor({ fresh, cached, written, output }: Tokens): number {
  return (
    ratio * (fresh + cached * factors.cached + written * factors.written + output * factors.output)
  );
}

/** The fields of a usage log row that are checked. */
export interface LogRow {
  readonly type: number;
  readonly content: string;
  readonly model_name: string;
  readonly quota: number;
  readonly is_stream: boolean;
  readonly completion_tokens: number;
  readonly other: string;
}

export interface SiteRun {
  readonly name: string;
  readonly wire: Wire;
  readonly baseUrl: string;
  readonly model: string;
  readonly channels: Form['channels'];
}

export interface Site {
  readonly url: string;
  /** Adds channels and a token for one run. The channels are enabled until closed. */
  open(run: SiteRun): Promise<{ readonly key: string; close(): Promise<void> }>;
  rows(name: string): Promise<readonly LogRow[]>;
  /**
   * Verifies the ledger: the customer was charged `spent`, and every balance equals its postings.
   */
  settle(spent: number): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const startQuota = 1_000_000_000;
const customer = 'customer';

export async function openSite(models: readonly string[]): Promise<Site> {
  const folder = newDataFolder();
  const data = ['--data-dir', folder.path];
  const turnpike = <T>(...args: readonly string[]) => runJson<T>([...args, ...data]);
  const priced = (value: number) =>
    JSON.stringify(Object.fromEntries(models.map((model) => [model, value])));
  await runBinary(['setup', '--username', 'root', '--password-stdin', ...data], 'a long password');
  const account = ['--username', customer, '--password-stdin', '--quota', String(startQuota)];
  await runJson(['users', 'add', ...account, ...data], 'another password');
  const prices = {
    ModelRatio: ratio,
    CompletionRatio: factors.output,
    CacheRatio: factors.cached,
    CreateCacheRatio: factors.written,
  };
  for (const [option, value] of Object.entries(prices))
    await turnpike('options', 'set', option, priced(value));
  const gateway = await serveBinary(folder.path, ['--log-level', 'error']);
  return {
    url: gateway.url,
    open: async ({ name, wire, baseUrl, model, channels }) => {
      const add = async (label: string, keys: string) => {
        const { ids } = await turnpike<{ ids: readonly number[] }>(
          ...[
            'channels',
            'add',
            '--name',
            label,
            '--type',
            wire.type,
            '--key',
            keys,
            '--base-url',
            baseUrl,
          ],
          ...[
            '--models',
            model,
            '--model-mapping',
            JSON.stringify({ [model]: wire.model }),
            '--auto-ban',
            'off',
          ],
          ...[
            '--setting',
            JSON.stringify({
              ...wire.setting,
              ...(keys.includes('\n') ? { multi_key_mode: 'polling' } : {}),
            }),
          ],
        );
        return ids.map(String);
      };
      const [first, second] = upstreamKeys;
      const ids = await add(name, channels === 'two keys' ? `${first}\n${second}` : first);
      if (channels === 'two') ids.push(...(await add(`${name} 2`, second)));
      const { key } = await turnpike<{ key: string }>(
        'tokens',
        'add',
        '--user',
        customer,
        '--name',
        name,
        '--unlimited',
      );
      const close = async () => {
        for (const id of ids) await turnpike('channels', 'disable', id);
      };
      return { key, close };
    },
    rows: async (name) =>
      (await turnpike<{ items: LogRow[] }>('logs', 'list', '--token', name, '--page-size', '100'))
        .items,
    settle: async (spent) => {
      const { items } = await turnpike<{ items: { quota: number }[] }>(
        'users',
        'list',
        '--keyword',
        customer,
      );
      const left = items[0]?.quota;
      const { code, stdout } = await runBinary(['ledger', 'verify', ...data]);
      return [
        ...(left === startQuota - spent
          ? []
          : [`the customer has ${left} left of ${startQuota}, after ${spent} in charges`]),
        ...(code === 0 ? [] : [`ledger verify: ${stdout.trim()}`]),
      ];
    },
    stop: async () => {
      await gateway.stop('SIGTERM');
      folder.remove();
    },
  };
}

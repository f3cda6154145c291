/**
 * kill -9 under load: complete replies are charged, interrupted ones are not, quota that was added meanwhile is there, and every balance
 * equals its postings.
 */
import Database from 'better-sqlite3';
import OpenAI from 'openai';
import { readGatewayFile } from '../../src/core/config/gateway-file.ts';
import { openStorage } from '../../src/core/storage/open.ts';
import { newDataFolder, runBinary, runJson, serveBinary } from './binary.ts';
import { chatReply, startUpstream } from './upstream.ts';

export interface KillReport {
  readonly rounds: number;
  /** Replies that clients received completely. */
  readonly finished: number;
  /** Number of those without a charge. Must be 0. */
  readonly unbilled: number;
  /** Number of times quota was added. */
  readonly granted: number;
  /** Number of those without a posting. Must be 0. */
  readonly lost: number;
  /** Rounds after which `ledger verify` failed. Must be 0. */
  readonly drifted: number;
  /** Quota by which the hourly sums differ from the charges. Must be 0. */
  readonly uncounted: number;
}

const workers = 16;
/** Quota of each addition: no charge is as much. */
const granted = 1_000_003;

/** Sends requests continuously, half of them streamed, and records the id of every complete reply. */
async function load(url: string, key: string, finished: Set<string>, running: () => boolean): Promise<void> {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const request = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'hi' }] };
  const work = async (stream: boolean) => {
    while (running()) {
      try {
        if (stream) {
          const { data, response } = await client.chat.completions.create({ ...request, stream: true }).withResponse();
          for await (const chunk of data) void chunk;
          finished.add(response.headers.get('x-oneapi-request-id') ?? '');
        } else {
          const { response } = await client.chat.completions.create(request).withResponse();
          finished.add(response.headers.get('x-oneapi-request-id') ?? '');
        }
      } catch {
        if (running()) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, index) => work(index % 2 === 0)));
}

/** Adds quota to the root user again and again; returns how often that was confirmed. */
async function grantQuota(url: string, dataDir: string, running: () => boolean): Promise<number> {
  const key = readGatewayFile(dataDir)?.key.reveal() ?? '';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ user_id: 1, quota: granted });
  let count = 0;
  while (running()) {
    try {
      const reply = await fetch(`${url}/api/topup`, { method: 'POST', headers, body });
      const { success } = (await reply.json()) as { readonly success: boolean };
      if (success) count += 1;
    } catch {
      // The gateway was killed.
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return count;
}

/** Ids of the requests that have exactly one log row, with a price and a posting. */
function billedRequests(file: string): ReadonlySet<string> {
  const database = new Database(file, { readonly: true });
  const ids = database
    .prepare<[], string>(
      'SELECT request_id FROM logs GROUP BY request_id HAVING count(*) = 1 AND min(quota) > 0 AND min(ledger_id) > 0',
    )
    .pluck()
    .all();
  database.close();
  return new Set(ids);
}

export async function killUnderLoad(rounds: number): Promise<KillReport> {
  const folder = newDataFolder();
  const data = ['--data-dir', folder.path];
  const upstream = await startUpstream();
  upstream.answer(chatReply('one two three four five six seven eight'));
  const finished = new Set<string>();
  let drifted = 0;
  let confirmed = 0;
  try {
    await runBinary(['setup', '--username', 'root', '--password-stdin', ...data], 'a long password');
    await runJson([
      'channels',
      'add',
      '--name',
      'mock',
      '--type',
      'openai',
      '--key',
      'k',
      '--base-url',
      upstream.url,
      '--models',
      'gpt-4o',
      ...data,
    ]);
    const { key } = await runJson<{ key: string }>(['tokens', 'add', '--name', 'load', '--unlimited', ...data]);
    for (let round = 0; round < rounds; round++) {
      const gateway = await serveBinary(folder.path, ['--log-level', 'error']);
      let running = true;
      const loading = load(gateway.url, key, finished, () => running);
      const granting = grantQuota(gateway.url, folder.path, () => running);
      // A different time in each round.
      await new Promise((resolve) => setTimeout(resolve, 500 + ((round * 137) % 400)));
      await gateway.stop('SIGKILL');
      running = false;
      await loading;
      confirmed += await granting;
      const { ok } = await runJson<{ ok: boolean }>(['ledger', 'verify', ...data]).catch(() => ({ ok: false }));
      if (!ok) drifted += 1;
    }
    const storage = await openStorage({ url: `sqlite:${folder.path}/turnpike.db`, masterKey: Buffer.alloc(32), migrate: false });
    const { total } = await storage.ledger.page({ kind: 'grant' }, { offset: 0, limit: 1 });
    const lost = Math.max(0, confirmed - total);
    const charged = (await storage.ledger.sumByKind()).find(({ kind }) => kind === 'charge');
    const sumOf = (rows: readonly { readonly quota: number }[]) => rows.reduce((sum, { quota }) => sum + quota, 0);
    const sums = [sumOf(await storage.quotaData.list({})), sumOf(await storage.quotaData.listSums({}))];
    const uncounted = sums.reduce((most, sum) => Math.max(most, Math.abs(sum + Number(charged?.amount ?? 0))), 0);
    await storage.close();
    const billed = billedRequests(`${folder.path}/turnpike.db`);
    const unbilled = [...finished].filter((id) => !billed.has(id)).length;
    return { rounds, finished: finished.size, unbilled, granted: confirmed, lost, drifted, uncounted };
  } finally {
    await upstream.close();
    folder.remove();
  }
}

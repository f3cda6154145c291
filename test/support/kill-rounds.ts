/**
 * kill -9 under load: complete replies are charged, interrupted ones are not, quota and users that
 * were added meanwhile are there, and every balance equals its postings; also where other programs
 * opened the database before.
 */
import Database from 'better-sqlite3';
import OpenAI from 'openai';
import { readGatewayFile } from '../../src/core/config/gateway-file.ts';
import { openStorage } from '../../src/core/storage/open.ts';
import { newDataFolder, runBinary, runJson, serveBinary } from './binary.ts';
import { findOutsiders, holdsItsLock, type Outsider } from './outsiders.ts';
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
  /** Users that were added. */
  readonly added: number;
  /** Names of those that are gone. Must be none. */
  readonly missing: readonly string[];
  /** Times that another program opened the database. */
  readonly visits: number;
  /** Rounds in which the gateway had lost its lock on the database. Must be 0. */
  readonly unlocked: number;
  /** Rounds after which `ledger verify` failed. Must be 0. */
  readonly drifted: number;
  /** Quota by which the hourly sums differ from the charges. Must be 0. */
  readonly uncounted: number;
}

const workers = 16;
/** Quota of each addition: no charge is as much. */
const granted = 1_000_003;

/**
 * Sends requests continuously, half of them streamed, and records the id of every complete reply.
 */
async function load(
  url: string,
  key: string,
  finished: Set<string>,
  running: () => boolean,
): Promise<void> {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const request = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'hi' }] };
  const work = async (stream: boolean) => {
    while (running()) {
      try {
        if (stream) {
          const { data, response } = await client.chat.completions
            .create({ ...request, stream: true })
            .withResponse();
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

interface Confirmed {
  /** How often quota was added. */
  granted: number;
  /** Names of the users that were added. */
  readonly users: string[];
}

/**
 * Adds quota to the root user again and again, and users (whose passwords take time to hash);
 * counts what was confirmed.
 */
async function change(
  url: string,
  dataDir: string,
  confirmed: Confirmed,
  running: () => boolean,
  addsUsers: boolean,
): Promise<void> {
  const key = readGatewayFile(dataDir)?.key.reveal() ?? '';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const succeeds = async (path: string, body: object): Promise<boolean> => {
    try {
      const reply = await fetch(url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return ((await reply.json()) as { readonly success: boolean }).success;
    } catch {
      return false; // the gateway was killed
    }
  };
  while (running()) {
    if (await succeeds('/api/topup', { user_id: 1, quota: granted })) confirmed.granted += 1;
    const username = `user${confirmed.users.length}x${process.hrtime.bigint().toString(36).slice(-6)}`;
    if (addsUsers && (await succeeds('/api/user/', { username, password: 'a long password' })))
      confirmed.users.push(username);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Resolves when more was confirmed than now. */
async function untilMore(confirmed: Confirmed): Promise<void> {
  const { granted: before, users } = confirmed;
  const names = users.length;
  while (confirmed.granted <= before || confirmed.users.length <= names)
    await new Promise((resolve) => setTimeout(resolve, 10));
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

function usernames(file: string): ReadonlySet<string> {
  const database = new Database(file, { readonly: true });
  const names = database.prepare<[], string>('SELECT username FROM users').pluck().all();
  database.close();
  return new Set(names);
}

/** Our own commands are programs of that kind, too. */
function ownCommands(dataDir: string): readonly Outsider[] {
  const visit = (name: string, args: readonly string[]): Outsider => ({
    name,
    visit: async () => void (await runBinary([name, ...args, '--data-dir', dataDir])),
  });
  return [visit('doctor', []), visit('backup', [`${dataDir}/own.backup`])];
}

/**
 * `withOutsiders`: other programs open and close the database in each round, and what is confirmed
 * after that is lost by none.
 */
export async function killUnderLoad(
  rounds: number,
  withOutsiders = false,
  leastFinished = 0,
): Promise<KillReport> {
  const folder = newDataFolder();
  const outsiders: readonly Outsider[] = withOutsiders
    ? [...(await findOutsiders()), ...ownCommands(folder.path)]
    : [];
  const data = ['--data-dir', folder.path];
  const upstream = await startUpstream();
  upstream.answer(chatReply('one two three four five six seven eight'));
  const finished = new Set<string>();
  let drifted = 0;
  const confirmed: Confirmed = { granted: 0, users: [] };
  let visits = 0;
  let unlocked = 0;
  try {
    await runBinary(
      ['setup', '--username', 'root', '--password-stdin', ...data],
      'a long password',
    );
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
    const { key } = await runJson<{ key: string }>([
      'tokens',
      'add',
      '--name',
      'load',
      '--unlimited',
      ...data,
    ]);
    for (let round = 0; round < rounds; round++) {
      const gateway = await serveBinary(folder.path, ['--log-level', 'error']);
      let running = true;
      const loading = load(gateway.url, key, finished, () => running);
      const changing = change(gateway.url, folder.path, confirmed, () => running, withOutsiders);
      for (const outsider of outsiders) {
        await untilMore(confirmed);
        await outsider.visit(`${folder.path}/turnpike.db`);
        visits += 1;
      }
      if (withOutsiders) await untilMore(confirmed);
      if (holdsItsLock(gateway.process.pid ?? 0) === false) unlocked += 1;
      // A different time in each round.
      await new Promise((resolve) =>
        setTimeout(resolve, (withOutsiders ? 0 : 500) + ((round * 137) % 400)),
      );
      while (finished.size < leastFinished) await new Promise((resolve) => setTimeout(resolve, 10));
      await gateway.stop('SIGKILL');
      running = false;
      await loading;
      await changing;
      const { ok } = await runJson<{ ok: boolean }>(['ledger', 'verify', ...data]).catch(() => ({
        ok: false,
      }));
      if (!ok) drifted += 1;
    }
    const storage = await openStorage({
      url: `sqlite:${folder.path}/turnpike.db`,
      masterKey: Buffer.alloc(32),
      migrate: false,
    });
    const { total } = await storage.ledger.page({ kind: 'grant' }, { offset: 0, limit: 1 });
    const lost = Math.max(0, confirmed.granted - total);
    const charged = (await storage.ledger.sumByKind()).find(({ kind }) => kind === 'charge');
    const sumOf = (rows: readonly { readonly quota: number }[]) =>
      rows.reduce((sum, { quota }) => sum + quota, 0);
    const sums = [
      sumOf(await storage.quotaData.list({})),
      sumOf(await storage.quotaData.listSums({})),
    ];
    const uncounted = sums.reduce(
      (most, sum) => Math.max(most, Math.abs(sum + Number(charged?.amount ?? 0))),
      0,
    );
    await storage.close();
    const billed = billedRequests(`${folder.path}/turnpike.db`);
    const unbilled = [...finished].filter((id) => !billed.has(id)).length;
    const known = usernames(`${folder.path}/turnpike.db`);
    const missing = confirmed.users.filter((name) => !known.has(name));
    return {
      rounds,
      finished: finished.size,
      unbilled,
      granted: confirmed.granted,
      lost,
      drifted,
      uncounted,
      added: confirmed.users.length,
      missing,
      visits,
      unlocked,
    };
  } finally {
    await upstream.close();
    folder.remove();
  }
}

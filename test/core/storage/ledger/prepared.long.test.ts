/**
 * The ledger through PgBouncer. Debian's version keeps no prepared statements for transaction
 * pooling, the case in which each transaction may meet a connection without them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepared } from '../../../../src/core/storage/ledger/prepared.ts';
import { startTestGateway } from '../../../support/gateway.ts';
import {
  freePort,
  postgresIsInstalled,
  startPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';
import { hasTool } from '../../../support/tools.ts';
import { chatReply, startUpstream } from '../../../support/upstream.ts';

type Pooling = 'session' | 'transaction';

interface Pooler {
  readonly url: string;
  /** Ends it with all of its connections, and starts it again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** PgBouncer in front of a database. */
async function startPooler(database: string, pooling: Pooling): Promise<Pooler> {
  const url = new URL(database);
  const { hostname, port, username, password } = url;
  const name = url.pathname.slice(1);
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-pooler-'));
  // As root it changes to another account.
  chmodSync(folder, 0o755);
  url.port = String(await freePort());
  const settings = join(folder, 'pooler.ini');
  writeFileSync(
    settings,
    `[databases]
${name} = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${url.port}
unix_socket_dir =
auth_type = any
pool_mode = ${pooling}
default_pool_size = 30
`,
  );
  const isRoot = process.getuid?.() === 0;
  const start = async () => {
    const started = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), settings], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
    });
    let printed = '';
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    started.stderr.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      if (printed.includes('process up')) resolve();
    });
    const failed = once(started, 'exit').then(() => {
      throw new Error(`PgBouncer did not start:\n${printed}`);
    });
    await Promise.race([ready, failed]);
    failed.catch(() => undefined); // the test stops it
    return started;
  };
  let child = await start();
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: url.href,
    restart: async () => {
      await stop();
      child = await start();
    },
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe('a prepared statement', () => {
  it('has another name where its text is another', () => {
    expect(prepared('ledger_hold', 'select 1')).toEqual(prepared('ledger_hold', 'select 1'));
    expect(prepared('ledger_hold', 'select 1').name).not.toBe(
      prepared('ledger_hold', 'select 2').name,
    );
  });
});

describe.skipIf(!postgresIsInstalled() || !hasTool('pgbouncer'))('through PgBouncer', () => {
  const chats = 120;
  const atOnce = 12;
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  it.each<Pooling>(['session', 'transaction'])(
    'bills each request with %s pooling',
    async (pooling) => {
      const upstream = await startUpstream();
      upstream.answer(chatReply());
      const pooler = await startPooler(await server.createDatabase(), pooling);
      const gateway = await startTestGateway({ TURNPIKE_DATABASE_URL: pooler.url });
      try {
        await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
        const customers = await Promise.all([1, 2, 3].map(() => gateway.addCustomer(50_000_000)));
        const chat = async (turn: number): Promise<number> => {
          const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${customers[turn % customers.length]?.key}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({
              model: 'gpt-4o',
              messages: [{ role: 'user', content: 'Hello' }],
            }),
          });
          await reply.text();
          return reply.status;
        };
        const chatAll = async () => {
          const statuses: number[] = [];
          for (let turn = 0; turn < chats; turn += atOnce) {
            const group = Array.from({ length: atOnce }, (_, index) => chat(turn + index));
            statuses.push(...(await Promise.all(group)));
          }
          return statuses;
        };
        const before = (await gateway.client.ledger.verify()).postings;
        expect(new Set(await chatAll())).toEqual(new Set([200]));

        // What is under way when the pooler ends may fail; afterwards everything goes on by itself.
        const [interrupted] = await Promise.all([chatAll(), pooler.restart()]);
        const served = chats + interrupted.filter((status) => status === 200).length;
        expect(new Set(await chatAll())).toEqual(new Set([200]));
        const proof = await gateway.client.ledger.verify();
        expect(proof).toMatchObject({ ok: true, drifts: [] });
        expect(proof.postings - before).toBe(served + chats);
      } finally {
        await gateway.close();
        await pooler.stop();
        await upstream.close();
      }
    },
  );
});

/**
 * The disk of the data folder is full: everybody is answered, nothing that was confirmed is lost,
 * and it goes on by itself.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { type RunningGateway, runBinary, runJson, serveBinary } from '../support/binary.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { chatReply, startUpstream } from '../support/upstream.ts';

const disk = mountSmallDisk(24);
if (disk === undefined)
  process.stderr.write(
    'full-disk.test.ts is skipped: this process may not mount a disk (it needs root)\n',
  );
let gateway: RunningGateway | undefined;
afterAll(async () => {
  gateway?.process.kill('SIGKILL');
  disk?.remove();
});

const requests = 40;

interface Reply {
  readonly status: number;
  readonly id: string;
  readonly body: { readonly error?: { readonly code?: string } };
}

/** Request ids of what was charged. */
function chargedIn(dataDir: string): readonly string[] {
  const database = new Database(join(dataDir, 'turnpike.db'), { readonly: true });
  const ids = database
    .prepare<[], string>("SELECT reference FROM ledger WHERE kind = 'charge' ORDER BY reference")
    .pluck()
    .all();
  database.close();
  return ids;
}

test.skipIf(disk === undefined)(
  'a full disk',
  async () => {
    if (disk === undefined) return;
    const dataDir = join(disk.path, 'site');
    const data = ['--data-dir', dataDir];
    const upstream = await startUpstream();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let held = 0;
    await runBinary(
      ['setup', '--username', 'root', '--password-stdin', ...data],
      'a long password',
    );
    const channel = [
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
    ];
    await runJson(['channels', 'add', ...channel, ...data]);
    const { key } = await runJson<{ key: string }>([
      'tokens',
      'add',
      '--name',
      'load',
      '--unlimited',
      ...data,
    ]);

    gateway = await serveBinary(dataDir, ['--log-level', 'error']);
    const { url } = gateway;
    const ask = async (): Promise<Reply> => {
      const reply = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
      });
      return {
        status: reply.status,
        id: reply.headers.get('x-request-id') ?? '',
        body: (await reply.json()) as Reply['body'],
      };
    };
    // Both files of the journal get some room: charges are written into it again.
    upstream.answer(chatReply('one two three'));
    const before: Reply[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      before.push(...(await Promise.all(Array.from({ length: requests / 4 }, ask))));
      expect(await runJson(['ledger', 'verify', ...data])).toMatchObject({ ok: true });
    }
    upstream.answer(async (response, received) => {
      held += 1;
      await released;
      await chatReply('one two three')(response, received);
    });
    const asked = Array.from({ length: requests }, ask);
    await expect.poll(() => held).toBe(requests);
    disk.fill();
    release();

    // The journal takes some of the charges; the others wait for tables that cannot be written.
    await expect
      .poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 60_000 })
      .toBe(503);
    expect(await ask()).toMatchObject({
      status: 503,
      body: { error: { code: 'ledger_unavailable' } },
    });
    const verify = await runBinary(['ledger', 'verify', ...data]);
    expect([verify.code, verify.stderr]).toEqual([6, expect.stringContaining('the disk is full')]);
    const doctor = await runBinary(['doctor', ...data]);
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/problem +Ledger: Settlements cannot be written.*the disk is full/),
    ]);
    expect(doctor.stdout).toMatch(/problem +Free disk space/);

    const stopping = Date.now();
    const exitCode = await gateway.stop('SIGTERM');
    expect([exitCode, Date.now() - stopping < 30_000]).toEqual([0, true]);
    const replies = await Promise.all(asked);
    const served = replies.filter(({ status }) => status === 200).map(({ id }) => id);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error?.code}`))).toEqual(
      new Set(['503 ledger_unavailable']),
    );
    expect([served.length > 0, refused.length > 0]).toEqual([true, true]);

    // Still full: what reads the site says so, and what the journal has stays there.
    const stopped = await runBinary(['doctor', ...data]);
    expect(stopped.code).toBe(1);
    expect(stopped.stdout).toContain('the disk is full');
    disk.free();
    expect(await runJson(['ledger', 'verify', ...data])).toMatchObject({ ok: true });
    expect(chargedIn(dataDir)).toEqual([...before.map(({ id }) => id), ...served].sort());
    await upstream.close();
  },
  240_000,
);

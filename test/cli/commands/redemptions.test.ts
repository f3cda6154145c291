/** `turnpike redemptions …` with the real core; batches of any size, and runs that end early. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/core/contract/client.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { type RunOptions, runCli } from '../run-cli.ts';

async function openSite() {
  const { app, operator, as, clock } = await createTestApp();
  const transport: Transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string, options: RunOptions = {}) =>
    runCli(line.split(' '), { transport, ...options });
  return { operator, as, clock, transport, turnpike };
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-codes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Batch {
  items: { id: number; key: string }[];
}
const key = /^[0-9a-f]{32}$/;

describe('redemptions batch', () => {
  test('JSON has ids and codes; text has one code per line', async () => {
    const { operator, turnpike } = await openSite();
    const batch = (
      await turnpike('redemptions batch --count 3 --quota 1000 --name Spring --json')
    ).json<Batch>();
    expect(Object.keys(batch)).toEqual(['items']);
    for (const item of batch.items)
      expect(await operator.redemption.get({ id: item.id })).toMatchObject({ key: item.key });
    const text = await turnpike('redemptions batch --count 2 --quota 500000');
    const lines = text.stdout.trim().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(key);
    expect((await turnpike('redemption list --json')).json()).toMatchObject({
      total: 5,
      items: [{ name: '$1.00' }, { name: '$1.00' }, { name: 'Spring' }, {}, {}],
    });
  });

  test('more than one call creates: 2,500 codes', async () => {
    const { operator, turnpike } = await openSite();
    const { items } = (
      await turnpike('redemptions batch --count 2_500 --quota 1 --json')
    ).json<Batch>();
    expect(new Set(items.map((item) => item.key)).size).toBe(2500);
    expect((await operator.redemption.list()).total).toBe(2500);
  });

  test('100,000 codes: each call is written before the next one', async () => {
    let created = 0;
    const file = join(folder, 'codes.txt');
    const transport: Transport = async (_call, input) => {
      // 33 bytes per code: everything that was created is in the file.
      expect(statSync(file).size).toBe(created * 33);
      const items = Array.from({ length: Number(input['count']) }, () => {
        created += 1;
        return { id: created, key: created.toString(16).padStart(32, '0') };
      });
      return { status: 200, body: { success: true, message: '', data: { items } } };
    };
    const run = await runCli(
      ['redemptions', 'batch', '--count', '100000', '--quota', '1', '--output', file],
      { transport },
    );
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(`Created 100,000 codes in ${file}`);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(100_000);
  });

  test('a file is new and for its owner only; nothing is created where it exists', async () => {
    const { operator, turnpike } = await openSite();
    const file = join(folder, 'codes.json');
    await turnpike(`redemptions batch --count 2 --quota 1 --json --output ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((JSON.parse(readFileSync(file, 'utf8')) as Batch).items).toHaveLength(2);
    const again = await turnpike(`redemptions batch --count 2 --quota 1 --output ${file}`);
    expect(again.exitCode).toBe(2);
    expect((await operator.redemption.list()).total).toBe(2);
    writeFileSync(join(folder, 'text'), 'mine');
    await turnpike(`redemptions batch --count 2 --quota 1 --output ${join(folder, 'text')}`);
    expect(readFileSync(join(folder, 'text'), 'utf8')).toBe('mine');
  });

  test('what is refused leaves no file', async () => {
    const { turnpike } = await openSite();
    const file = join(folder, 'codes.txt');
    const refused = await turnpike(
      `redemptions batch --count 1 --quota 1 --name ${'n'.repeat(21)} --json --output ${file}`,
    );
    expect(refused.failure().code).toBe('code_name_invalid');
    expect(refused.exitCode).toBe(2);
    expect(existsSync(file)).toBe(false);
    for (const count of ['0', '-1', '1.5', 'x']) {
      expect((await turnpike(`redemptions batch --count=${count} --quota 1`)).exitCode).toBe(2);
    }
  });

  test('an interrupted run finishes its call and reports what was created', async () => {
    const { operator, transport } = await openSite();
    const stop = new AbortController();
    const stopping: Transport = async (call, input) => {
      stop.abort();
      return transport(call, input);
    };
    const run = await runCli(
      ['redemptions', 'batch', '--count', '5000', '--quota', '1', '--json'],
      {
        transport: stopping,
        stop: stop.signal,
      },
    );
    expect(run.exitCode).toBe(130);
    expect(run.failure()).toEqual({
      code: 'interrupted',
      message: 'Interrupted; 1,000 of 5,000 codes were created',
    });
    expect(run.json<Batch>().items).toHaveLength(1000);
    expect((await operator.redemption.list()).total).toBe(1000);
  });

  test('a failure in the middle keeps what was written', async () => {
    const { transport } = await openSite();
    let calls = 0;
    const failing: Transport = async (call, input) => {
      calls += 1;
      if (calls === 3) throw new Error('the network is gone');
      return transport(call, input);
    };
    const run = await runCli(['redemptions', 'batch', '--count', '5000', '--quota', '1'], {
      transport: failing,
    });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('the network is gone; 2,000 of 5,000 codes were created');
    expect(run.stdout.trim().split('\n')).toHaveLength(2000);
  });
});

describe('the other commands', () => {
  test('list by status and code, edit, and deletion of what cannot be redeemed', async () => {
    const { operator, as, clock, turnpike } = await openSite();
    const keys = await operator.redemption.create({ name: 'n', quota: 1, count: 3 });
    await (await as(1)).wallet.redeem({ key: keys[0] ?? '' });
    expect(
      (
        await turnpike('redemptions edit 2 --name Late --quota 7 --expires 2030-01-01 --json')
      ).json(),
    ).toMatchObject({
      name: 'Late',
      quota: 7,
    });
    expect((await turnpike('redemptions edit 1 --name x')).exitCode).toBe(5);
    expect((await turnpike('redemptions edit 2')).exitCode).toBe(2);
    const ids = async (line: string) =>
      (await turnpike(`redemptions list ${line} --json`)).json<Batch>().items.map(({ id }) => id);
    expect(await ids(`--keyword ${keys[1]}`)).toEqual([2]);
    expect(await ids('--status used')).toEqual([1]);
    expect(await ids('--status expired')).toEqual([]);
    clock.move(10 * 365 * 86_400_000);
    expect(await ids('--status expired')).toEqual([2]);
    expect((await turnpike('redemptions show 2')).stdout).toContain(keys[1]);
    expect((await turnpike('redemptions delete-invalid')).exitCode).toBe(2);
    expect((await turnpike('redemptions delete-invalid --yes --json')).json()).toEqual({
      count: 2,
    });
    expect(await ids('--page 1')).toEqual([3]);
  });
});

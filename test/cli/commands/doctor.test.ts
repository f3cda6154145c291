/** `turnpike doctor` with the real core, on sites that are well and on sites where something is wrong. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ExaminedEntity } from '../../../src/core/contract/doctor.ts';
import { createDoctor } from '../../../src/core/doctor/doctor.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function openSite() {
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const doctor = (...flags: readonly string[]) => runCli(['doctor', ...flags], { transport });
  const report = async () => (await doctor('--json')).json<{ items: ExaminedEntity[] }>().items;
  const find = async (id: string) => (await report()).filter((item) => item.id === id);
  return { app, operator, doctor, report, find };
}

test('each check has a line, and a problem is exit code 1 with what mends it', async () => {
  const { doctor, report } = await openSite();
  const ids = (await report()).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['permissions', 'disk', 'database', 'clock', 'ledger', 'options', 'prices']));
  const well = ['database', 'ledger', 'options', 'key-file', 'setup', 'token-groups'];
  expect((await report()).filter(({ id, level }) => well.includes(id) && level !== 'ok')).toEqual([]);
  const run = await doctor();
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toMatch(/problem +Channels: No channel is enabled/);
  expect(run.stdout).toContain('turnpike channels add');
});

test('channels without a test and models without a price are warnings', async () => {
  const { operator, find } = await openSite();
  const { ids } = await operator.channel.create({ name: 'New', type: 1, key: 'k', models: 'nobody-priced-this' });
  expect(await find('channels')).toMatchObject([{ level: 'warning', message: expect.stringContaining(`#${ids[0]} New`) }]);
  expect(await find('prices')).toMatchObject([{ level: 'warning', message: expect.stringContaining('nobody-priced-this') }]);
  await operator.option.set({ key: 'SelfUseModeEnabled', value: true });
  expect(await find('prices')).toMatchObject([{ level: 'ok' }]);
});

test('tokens of a group that was retired are named', async () => {
  const { app, operator, find } = await openSite();
  const { id } = await operator.userTokens.create({ name: 'Of old', unlimited_quota: true });
  expect(await find('token-groups')).toMatchObject([{ level: 'ok' }]);
  await app.storage.tokens.update(id, { group: 'retired' });
  expect(await find('token-groups')).toMatchObject([
    { level: 'warning', message: expect.stringContaining(`#${id} Of old (retired)`) },
  ]);
});

test('a server address that leads elsewhere is a problem, one that nobody answers at a warning', async () => {
  const { operator, find } = await openSite();
  expect(await find('server-address')).toMatchObject([{ level: 'warning', message: expect.stringContaining('empty') }]);
  const server = createServer((_request, reply) => void reply.end('<html>'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await operator.option.set({ key: 'ServerAddress', value: address });
  expect(await find('server-address')).toMatchObject([{ level: 'problem', message: expect.stringContaining(address) }]);
  await new Promise((done) => server.close(done));
  expect(await find('server-address')).toMatchObject([
    { level: 'warning', message: expect.stringContaining('cannot be reached') },
  ]);
});

const sound = { drifts: [], staleHolds: 0 };

/** The app's own doctor with other dependencies. */
async function examineWith(change: Partial<Parameters<typeof createDoctor>[0]>) {
  const { app } = await createTestApp();
  const doctor = createDoctor({
    config: { dataDir: folder },
    databaseType: 'sqlite',
    storage: app.storage,
    options: app.site.options,
    catalog: app.catalog,
    clock: app.clock,
    isCircuitOpen: () => false,
    verifyLedger: async () => sound,
    fetch: async () => ({ ok: true, status: 200, date: null, text: '{"success":true}' }),
    ...change,
  });
  const report = await doctor.examine();
  return (id: string) => report.filter((item) => item.id === id).map(({ level, message, mend }) => [level, message.en, mend.en]);
}

test('a key file that others can read is a problem with the command that closes it', async () => {
  const path = join(folder, 'secret.json');
  writeFileSync(path, '{}');
  chmodSync(path, 0o644);
  chmodSync(folder, 0o755);
  expect((await examineWith({}))('permissions')).toEqual([
    ['warning', `${folder} can be read by other users`, `Run: chmod 700 ${folder}`],
    ['problem', `${path} can be read by other users`, `Run: chmod 600 ${path}`],
  ]);
});

test('differences in the ledger, a wrong clock and damage in the database are reported', async () => {
  const { app } = await createTestApp();
  const diagnosis = {
    read: async () => ({ ...(await app.storage.diagnosis.read()), time: 0 }),
    findDamage: async () => ['row 3 missing from index'],
  };
  const { channels, tokens, setups } = app.storage;
  const found = await examineWith({
    storage: { channels, tokens, setups, diagnosis },
    verifyLedger: async () => ({ drifts: [{}], staleHolds: 2 }),
  });
  expect(found('ledger').map(([level]) => level)).toEqual(['problem', 'warning']);
  expect(found('clock')).toMatchObject([['warning', expect.stringContaining('differ by'), expect.anything()]]);
  expect(found('database')).toMatchObject([['problem', expect.stringContaining('row 3 missing'), expect.anything()]]);
});

test('keys that cannot be decrypted, and a check that fails, do not end the examination', async () => {
  const { app } = await createTestApp();
  const broken = async () => {
    throw new Error('wrong secret');
  };
  const { tokens, setups, diagnosis } = app.storage;
  const found = await examineWith({
    storage: { tokens, setups, diagnosis, channels: { ...app.storage.channels, listAll: broken } },
    verifyLedger: broken,
  });
  expect(found('key-file')).toMatchObject([
    ['problem', expect.stringContaining('wrong secret'), expect.stringContaining('secret.json')],
  ]);
  expect(found('ledger')).toMatchObject([['problem', 'The check failed: wrong secret', expect.anything()]]);
  expect(found('prices')).toHaveLength(1);
});

test('a site that cannot be opened is a finding', async () => {
  const run = await runCli(['doctor'], {
    transport: async () => {
      throw new AppError('secret_file_damaged', { path: '/data/secret.json' });
    },
  });
  expect([run.exitCode, run.stdout]).toEqual([1, expect.stringContaining('/data/secret.json')]);
});

/**
 * `turnpike doctor` with the real core, on sites that are well and on sites where something is
 * wrong.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ExaminedEntity } from '../../../src/core/contract/doctor.ts';
import { type Check, runChecks } from '../../../src/core/doctor/check.ts';
import { createDoctor } from '../../../src/core/doctor/doctor.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { lossKinds } from '../../../src/core/vocabulary/loss-kinds.ts';
import { noteTestError } from '../../../src/core/vocabulary/test-errors.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { createMovingClock } from '../../support/moving-clock.ts';
import { runCli } from '../run-cli.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function openSite() {
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  // With --server the folder of this machine is not looked at.
  const remote = ['--server', 'http://test', '--access-token', 'test'];
  const doctor = (...flags: readonly string[]) =>
    runCli(['doctor', ...flags, ...remote], { transport });
  const report = async () => (await doctor('--json')).json<{ items: ExaminedEntity[] }>().items;
  const find = async (id: string) => (await report()).filter((item) => item.id === id);
  return { app, operator, doctor, report, find };
}

test('each check has a line, and a problem is exit code 1 with what mends it', async () => {
  const { doctor, report } = await openSite();
  const ids = (await report()).map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining([
      'permissions',
      'disk',
      'database',
      'clock',
      'ledger',
      'options',
      'prices',
    ]),
  );
  const well = ['database', 'ledger', 'options', 'key-file', 'setup', 'token-groups'];
  expect((await report()).filter(({ id, level }) => well.includes(id) && level !== 'ok')).toEqual(
    [],
  );
  const run = await doctor();
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toMatch(
    /problem +Channels: No channel is enabled\n +Every request fails\n +Add one/,
  );
  expect(run.stdout).toContain('turnpike channels add');
});

test('channels without a test and models without a price are warnings', async () => {
  const { operator, find } = await openSite();
  const { ids } = await operator.channel.create({
    name: 'New',
    type: 1,
    key: 'k',
    models: 'nobody-priced-this',
  });
  expect(await find('channels')).toMatchObject([
    { level: 'warning', message: expect.stringContaining(`#${ids[0]} New`) },
  ]);
  expect(await find('prices')).toMatchObject([
    { level: 'warning', message: expect.stringContaining('nobody-priced-this') },
  ]);
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
  const { app, operator, find } = await openSite();
  app.setListening({ port: 3000, url: 'http://127.0.0.1:3000' });
  expect(await find('server-address')).toMatchObject([
    { level: 'warning', message: expect.stringContaining('empty') },
  ]);
  const server = createServer((_request, reply) => void reply.end('<html>'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await operator.option.set({ key: 'ServerAddress', value: address });
  expect(await find('server-address')).toMatchObject([
    { level: 'problem', message: expect.stringContaining(address) },
  ]);
  await new Promise((done) => server.close(done));
  expect(await find('server-address')).toMatchObject([
    { level: 'warning', message: expect.stringContaining('cannot be reached') },
  ]);
});

const sound = {
  drifts: [],
  staleHolds: 0,
  chain: { linked: 1, earlier: 0, notedAt: 1, breaks: [] },
};

/** The app's own doctor with other dependencies. */
async function examineWith(change: Partial<Parameters<typeof createDoctor>[0]>) {
  const { app } = await createTestApp();
  const doctor = createDoctor({
    config: { ...app.config, dataDir: folder, sqlitePath: join(folder, 'turnpike.db') },
    databaseType: 'sqlite',
    storage: app.storage,
    options: app.site.options,
    catalog: app.catalog,
    losses: app.losses,
    clock: app.clock,
    isCircuitOpen: () => false,
    endingModels: () => [],
    isServing: () => true,
    openFileLimit: () => 65_536,
    redisVersion: async () => '7.2.0',
    baseUrlOf: ({ baseUrl }) => baseUrl,
    ledgerQueue: () => ({ stalled: false }),
    verifyLedger: async () => sound,
    seals: async () => [],
    lateJobs: async () => [],
    nodes: async () => [],
    fetch: async () => ({ ok: true, status: 200, date: null, text: '{"success":true}' }),
    ...change,
  });
  const report = await doctor.examine();
  for (const { level, message, why, mend } of report) {
    if (level === 'ok') continue;
    for (const { en, zh } of [message, why, mend])
      expect([en.length > 0, /[\u4e00-\u9fff]/.test(zh)], en).toEqual([true, true]);
  }
  return (id: string) =>
    report
      .filter((item) => item.id === id)
      .map(({ level, message, mend }) => [level, message.en, mend.en]);
}

test('models that have ended or soon will are named with their successors', async () => {
  const channels = [{ id: 3, name: 'main' }];
  const mend =
    'Map them to their successors (turnpike channels edit ID --model-mapping), or take them off the channels';
  const find = await examineWith({
    clock: createMovingClock(Date.parse('2026-11-28T12:00:00Z')),
    endingModels: () => [
      { model: 'old', ends: '2026-11-28', channels },
      { model: 'late', ends: '2026-11-29', successor: 'next', channels },
    ],
  });
  expect(find('model-ends')).toEqual([
    ['warning', 'Models that their vendors have ended: old 2026-11-28 (#3)', mend],
    ['warning', 'Models that end soon: late 2026-11-29 (#3 → next)', mend],
  ]);
  expect((await examineWith({}))('model-ends')).toMatchObject([['ok', '', '']]);
});

test('each loss that lasts is a warning with its words, and so are prices below their cost', async () => {
  const loss = { channelId: 3, channelName: 'main', model: 'm', figures: {}, since: 1 };
  const find = await examineWith({
    losses: {
      list: async (language) =>
        [...lossKinds, 'unpriced' as const].map((kind) => ({
          ...loss,
          kind,
          text: language === 'zh' ? `亏损 ${kind}` : `lost ${kind}`,
        })),
      belowCost: () => [
        { model: 'm', channelId: 3, channel: 'main', kind: 'input', price: 1, cost: 2 },
      ],
    },
  });
  // Models without a price are the check of prices.
  expect(find('losses').map(([level, message]) => [level, message])).toEqual([
    ['warning', 'Models are sold below their cost: lost below_cost'],
    ['warning', 'The cost of requests is not known: lost unknown_cost'],
    ['warning', 'Balances at upstreams are running out: lost balance'],
    ['warning', 'Upstreams bill more than was booked: lost billed_more'],
    ['warning', 'Prices differ from their sources: lost price'],
    ['warning', 'Prices below their cost: m input: $1.00 < $2.00 (#3 main)'],
  ]);
  expect((await examineWith({}))('losses')).toMatchObject([['ok', '', '']]);
});

test('a price below its cost is found by the doctor of a site', async () => {
  const { operator, find } = await openSite();
  const cost = '{"models":{"gpt-4o":{"input":3}}}';
  await operator.channel.create({ name: 'c', type: 1, key: 'k', models: 'gpt-4o', cost });
  expect(await find('losses')).toMatchObject([
    { level: 'warning', message: 'Prices below their cost: gpt-4o input: $2.50 < $3.00 (#1 c)' },
  ]);
});

test('a key file that others can read is a problem with the command that closes it', async () => {
  const path = join(folder, 'secret.json');
  writeFileSync(path, '{}');
  chmodSync(path, 0o644);
  chmodSync(folder, 0o755);
  expect((await examineWith({}))('permissions')).toEqual([
    [
      'warning',
      `${folder} can be opened by other users of this machine`,
      `Run: chmod 700 ${folder}`,
    ],
    ['problem', `${path} can be read by other users of this machine`, `Run: chmod 600 ${path}`],
  ]);
});

test('settlements that cannot be written are reported with the reason, without waiting for them', async () => {
  const failure = new AppError('ledger_unavailable', {
    problem: 'rule.file.diskFull',
    reason: 'SQLITE_FULL',
    waiting: 3,
  });
  const verifyLedger = () => new Promise<never>(() => {});
  const found = await examineWith({
    ledgerQueue: () => ({ stalled: true, failure }),
    verifyLedger,
  });
  expect(found('ledger')).toMatchObject([
    ['problem', expect.stringContaining('the disk is full'), expect.any(String)],
  ]);
  expect(found('ledger')[0]?.[1]).toContain('3 settlements wait');
});

test('a check that does not end is reported, and the others are made', async () => {
  const never: Check<object> = {
    id: 'never',
    title: { en: 'Never', zh: '' },
    limit: 20,
    run: () => new Promise(() => {}),
  };
  const well: Check<object> = { id: 'well', title: { en: 'Well', zh: '' }, run: async () => [] };
  expect(await runChecks([never, well], {})).toMatchObject([
    {
      id: 'never',
      level: 'problem',
      message: { en: expect.stringContaining('no reply within 0.02 s') },
    },
    { id: 'well', level: 'ok' },
  ]);
});

test('differences in the ledger, a wrong clock and damage in the database are reported', async () => {
  const { app } = await createTestApp();
  const diagnosis = {
    read: async () => ({ ...(await app.storage.diagnosis.read()), time: 0, schema: '9999-later' }),
    findDamage: async () => ['row 3 missing from index'],
  };
  const { channels, tokens, setups } = app.storage;
  const found = await examineWith({
    storage: { channels, tokens, setups, diagnosis },
    verifyLedger: async () => ({
      ...sound,
      drifts: [{ account: 'user', id: 1, name: 'ann', expected: 1, actual: 2, drift: 1 }],
      staleHolds: 2,
    }),
  });
  expect(found('ledger').map(([level]) => level)).toEqual(['problem', 'warning']);
  expect(found('migrations')).toMatchObject([
    ['problem', expect.stringContaining('9999-later'), expect.anything()],
  ]);
  expect(found('clock')).toMatchObject([
    ['warning', expect.stringContaining('differ by'), expect.anything()],
  ]);
  expect(found('database')).toMatchObject([
    ['problem', expect.stringContaining('row 3 missing'), expect.anything()],
  ]);
});

test('a seal that does not arrive and a broken chain are reported, in words', async () => {
  const now = Math.floor(Date.UTC(2026, 10, 20, 12) / 1000);
  const states = {
    failed: { sealedAt: now - 60, postingId: 1, triedAt: now, error: 'away' },
    late: { sealedAt: now - 7300, postingId: 1, triedAt: now - 7300, error: '' },
    fine: { sealedAt: now - 3600, postingId: 1, triedAt: now - 3600, error: '' },
  };
  const examine = (state: (typeof states)[keyof typeof states] | undefined, isServing = true) =>
    examineWith({ isServing: () => isServing, seals: async () => [{ target: 'webhook', state }] });
  const message = 'The newest link of the ledger does not reach ledger.seal_url';
  expect((await examine(states.failed))('ledger-seals')).toMatchObject([
    ['warning', `${message}: away`, expect.anything()],
  ]);
  expect((await examine(states.late))('ledger-seals')).toMatchObject([
    ['warning', message, expect.anything()],
  ]);
  for (const report of [
    await examine(states.fine),
    await examine(states.late, false),
    await examine(undefined),
  ]) {
    expect(report('ledger-seals')).toMatchObject([['ok', '', '']]);
  }
  const breaks = [{ table: 'ledger', reason: 'changed', id: 7, until: 7 } as const];
  const found = await examineWith({
    verifyLedger: async () => ({ ...sound, chain: { ...sound.chain, breaks } }),
  });
  expect(found('ledger')).toMatchObject([
    ['problem', 'The chain of the ledger is broken: posting 7', expect.anything()],
  ]);
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
  expect(found('ledger')).toMatchObject([
    ['problem', 'The check failed: wrong secret', expect.anything()],
  ]);
  expect(found('prices')).toHaveLength(1);
});

test('a site that cannot be opened is a finding', async () => {
  const run = await runCli(['doctor', '--server', 'http://test', '--access-token', 'test'], {
    transport: async () => {
      throw new AppError('secret_file_damaged', { path: '/data/secret.json' });
    },
  });
  expect([run.exitCode, run.stdout]).toEqual([1, expect.stringContaining('/data/secret.json')]);
});

test('options that contradict each other, as an import may bring them, are named with what mends them', async () => {
  const { app, find } = await openSite();
  const set = (key: string, value: string) =>
    app.storage.options.set({ key, value, hidden: false });
  await set('EmailVerificationEnabled', 'true');
  for (const [key, value] of [
    ['GitHubClientId', 'id'],
    ['GitHubClientSecret', 'secret'],
    ['GitHubOAuthEnabled', 'true'],
  ] as const)
    await set(key, value);
  await app.site.options.refresh();
  const messages = async () => (await find('options')).map(({ message }) => message);
  expect(await messages()).toEqual([
    'EmailVerificationEnabled is on, but SMTPServer is empty',
    'GitHubOAuthEnabled is on, but ServerAddress is empty',
  ]);
  await set('GitHubOAuthEnabled', 'false');
  await set('EmailVerificationEnabled', 'false');
  await set('PasswordLoginEnabled', 'false');
  await set('PasskeyLoginEnabled', 'false');
  await app.site.options.refresh();
  expect(await messages()).toEqual(['No way to sign in is switched on']);
});

test('channels that the gateway disabled, failed tests and disabled keys are named', async () => {
  const { app, operator, find } = await openSite();
  const add = async (name: string) =>
    (await operator.channel.create({ name, type: 1, key: 'k', models: 'gpt-4o' })).ids[0] ?? 0;
  const [off, failed] = [await add('Off'), await add('Failed')];
  await app.storage.channels.update(off, { status: 3 });
  await app.storage.channels.update(failed, { otherInfo: noteTestError('', '401 wrong key') });
  expect((await find('channels')).map(({ message }) => message)).toEqual([
    `Disabled by the gateway after failures: #${off} Off`,
    `Never tested: #${failed} Failed`,
    `Failed the last test: #${failed} Failed`,
  ]);
});

test('the clock of an upstream is compared only when asked for', async () => {
  const { operator, doctor } = await openSite();
  const server = createServer((_request, reply) => {
    reply.setHeader('date', new Date(Date.now() + 600_000).toUTCString());
    reply.writeHead(401).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { ids } = await operator.channel.create({
    name: 'Late',
    type: 1,
    key: 'k',
    models: 'gpt-4o',
    base_url,
  });
  const items = async (...flags: string[]) =>
    (await doctor('--json', ...flags))
      .json<{ items: ExaminedEntity[] }>()
      .items.filter(({ id }) => id === 'upstream-clock');
  expect(await items()).toEqual([]);
  expect(await items('--clock-channel', String(ids[0]))).toMatchObject([
    {
      level: 'warning',
      message: expect.stringMatching(
        /differs from this one by (59\d|60\d) s|differs from this one by/,
      ),
    },
  ]);
  await new Promise((done) => server.close(done));
  expect(await items('--clock-channel', '99')).toMatchObject([
    { level: 'warning', message: 'There is no channel #99' },
  ]);
});

test('every command that the doctor names exists, with the flags that it names', () => {
  const folder = join(import.meta.dirname, '../../../src/core/doctor');
  const source = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const reference = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
  const named = [
    ...source.matchAll(
      /turnpike ((?:[a-z-]+ ?){1,3})((?:[A-Z]+ ?)*)((?:--[a-z-]+ ?[A-Za-z]* ?)*)/g,
    ),
  ];
  expect(named.length).toBeGreaterThan(20);
  const sections = new Map(
    reference
      .split(/^##+ turnpike /m)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  );
  for (const [text, words = '', , flags = ''] of named) {
    // What follows the command's name are words of the sentence.
    const said = words.trim().split(' ');
    const section = [3, 2, 1]
      .map((count) => sections.get(said.slice(0, count).join(' ')))
      .find((one) => one?.includes('`turnpike '));
    expect(section, text).toBeDefined();
    for (const [flag] of flags.matchAll(/--[a-z-]+/g)) expect(section, text).toContain(flag);
  }
});

test('gateways that share nothing, or are of another version, are warnings', async () => {
  const node = {
    id: 'a',
    host: 'one',
    dataDir: '/data',
    address: 'http://127.0.0.1:3000',
    version: '1.0.0',
    startedAt: 1,
    seenAt: 2,
    isThis: true,
    isShared: true,
    wish: '',
    state: 'serving',
    underWay: 0,
  } as const;
  const other = { ...node, id: 'b', host: 'two', isThis: false };
  const found = await examineWith({
    nodes: async () => [node, { ...other, isShared: false }, { ...other, version: '1.1.0' }],
  });
  expect(found('nodes').map(([level, message]) => [level, message])).toEqual([
    [
      'warning',
      'The gateway on two (http://127.0.0.1:3000) serves this database and shares no Redis with this one at present',
    ],
    ['warning', 'The gateway on two (http://127.0.0.1:3000) has version 1.1.0, this one 1.0.0'],
  ]);
});

test('a gateway that was drained is a warning, so that nobody forgets it', async () => {
  const node = {
    id: 'a',
    host: 'one',
    dataDir: '/data',
    address: 'http://127.0.0.1:3000',
    version: '1.0.0',
    startedAt: 1,
    seenAt: 2,
    isThis: true,
    isShared: true,
    state: 'draining',
    underWay: 3,
  } as const;
  const [drained, ends] = await Promise.all(
    (['drain', 'stop'] as const).map(async (wish) =>
      (await examineWith({ nodes: async () => [{ ...node, wish }] }))('nodes'),
    ),
  );
  const said =
    'The gateway on one (http://127.0.0.1:3000) was drained: it takes nothing new, 3 under way';
  expect(drained).toEqual([['warning', said, 'turnpike nodes resume, once it is to serve again']]);
  expect(ends).toEqual([['warning', said, 'Nothing: it ends as soon as it is empty']]);
});

test('a background job that is late is a problem, with its error', async () => {
  const late = {
    name: 'statements',
    interval: 60,
    running: false,
    nextRunAt: 0,
    isLate: true,
    expectedAt: Date.UTC(2026, 10, 20),
    last: { startedAt: 0, durationMs: 0, error: 'disk is full', succeededAt: 0 },
  };
  expect((await examineWith({ lateJobs: async () => [late] }))('jobs')).toEqual([
    [
      'problem',
      'The job statements should have succeeded again at 2026-11-20T00:00:00.000Z: disk is full',
      'Mend what its error names (turnpike jobs list); if there is none, restart the gateway',
    ],
  ]);
});

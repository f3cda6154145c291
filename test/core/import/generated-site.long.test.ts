/** A small one of what `npm run test:import` does with 10,000 users and 1,000,000 log rows. */
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import {
  type GeneratedKey,
  type GeneratedSite,
  generatedModel,
  writeGeneratedSite,
} from '../../support/generated-family.ts';
import { type ImportReportJson, withImportedSite } from '../../support/imported-site.ts';
import { runMeasured } from '../../support/measured-command.ts';
import { type SpawnedGateway, spawnGateway } from '../../support/spawned-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

const users = Number(process.env['IMPORTED_USERS'] ?? 300);
const logs = Number(process.env['IMPORTED_LOGS'] ?? 5_000);
const isLarge = process.env['IMPORTED_USERS'] !== undefined;
/** Keys of each kind, and passwords of users who can sign in and of those who cannot. */
const sampled = isLarge ? 6 : 2;

const folder = mkdtempSync(join(tmpdir(), 'turnpike-generated-'));
const file = join(folder, 'one-api.db');
const dataDir = join(folder, 'data');
let upstream: TestUpstream;
let site: GeneratedSite;
let gateway: SpawnedGateway | undefined;

beforeAll(async () => {
  upstream = await startUpstream();
  site = writeGeneratedSite(file, { users, logs, channelUrl: upstream.url });
}, 600_000);
afterAll(async () => {
  await gateway?.close();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

test('a generated site moves in, with proof, and its file stays as it is', {
  timeout: 1_800_000,
}, async () => {
  const before = await digest(file);
  const run = await runMeasured(['import', 'newapi', file, '--data-dir', dataDir, '--json']);
  expect(run.stderr.replace(/^.*[\r\n]/gm, '')).toBe('');
  expect(run.exitCode).toBe(0);
  const report = JSON.parse(run.stdout) as ImportReportJson;
  for (const { expected, found } of report.proof) expect(found).toBe(expected);
  expect(report.proof).toContainEqual({
    table: 'users',
    figure: 'rows',
    expected: `${users}`,
    found: `${users}`,
  });
  expect(report.proof).toContainEqual({
    table: 'logs',
    figure: 'rows',
    expected: `${logs}`,
    found: `${logs}`,
  });
  expect(report.users_compared).toBe(users);
  expect(await digest(file)).toBe(before);
  expect(await withImportedSite(dataDir, verifyLedger)).toMatchObject({ ok: true, users });
  if (!isLarge) return;
  const figures = report.proof.filter(({ expected }) => expected !== '0');
  for (const { table, figure, expected, found } of figures)
    console.info(`${table} ${figure}: ${expected} = ${found}`);
  const { seconds, peakMegabytes } = run;
  console.info(
    `${users} users, ${logs} logs: ${seconds.toFixed(1)} s, peak memory ${peakMegabytes} MB`,
  );
});

test('its customers notice nothing: old keys and old passwords work, or fail as they did', {
  timeout: 300_000,
}, async () => {
  gateway = await spawnGateway({}, dataDir);
  const byKind = Map.groupBy(site.keys, ({ kind }) => kind);
  expect(byKind.size).toBeGreaterThan(12);
  for (const [kind, keys] of byKind) {
    const some = [...keys.slice(0, sampled - 1), ...keys.slice(-1)];
    for (const key of some)
      expect({ kind, ...(await callWith(key, gateway.url)) }).toEqual({ kind, ...outcomeOf(key) });
  }
  const closed = site.logins.filter(({ isOpen }) => !isOpen);
  const open = site.logins.filter(({ isOpen }) => isOpen);
  const some = [...open.slice(0, sampled), ...open.slice(-1), ...closed.slice(0, sampled)];
  for (const { username, password, isOpen } of some) {
    expect(await signIn(gateway.url, username, password), username).toMatchObject({
      success: isOpen,
    });
    if (username === 'root')
      expect(await signIn(gateway.url, username, 'another')).toMatchObject({ success: false });
  }
});

const outcomeOf = ({ outcome }: GeneratedKey) =>
  outcome === 'reply' ? { text: 'Hello from upstream' } : outcome;

async function callWith({ key, kind }: GeneratedKey, url: string) {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const request = {
    model: generatedModel,
    messages: [{ role: 'user' as const, content: 'Hi' }],
    max_tokens: 50,
  };
  try {
    if (kind !== 'streaming')
      return { text: (await client.chat.completions.create(request)).choices[0]?.message.content };
    let text = '';
    for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    return { text };
  } catch (error) {
    if (error instanceof OpenAI.APIError) return { status: error.status, code: error.code };
    throw error;
  }
}

async function signIn(url: string, username: string, password: string): Promise<unknown> {
  const reply = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return reply.json();
}

/** `turnpike config …` with the real core: exported, applied, compared, and refused as a whole. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { type RunOptions, runCli } from '../run-cli.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function openSite() {
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const config = (line: readonly string[], options: RunOptions = {}) =>
    runCli(['config', ...line], { transport, ...options });
  const applyText = (input: string, flags: readonly string[] = [], options: RunOptions = {}) =>
    config(['apply', '-', ...flags], { input, ...options });
  return { operator, config, applyText };
}

const site = `turnpike: 1
options:
  SystemName: Toll road
  RetryTimes: 3
  ModelRatio: { gpt-x: 1.5, gpt-y: 2 }
  SMTPServer: mail.example.com
  SMTPToken: env:MAIL_TOKEN
channels:
  Main:
    type: openai
    key: file:main.key
    models: [gpt-x, gpt-y]
    group: [default]
    priority: 5
    base_url: https://user:pass@api.example.com
    setting: { proxy: env:PROXY }
  Spare:
    type: openai
    enabled: false
    key: env:SPARE_KEY
    models: [gpt-x]
models:
  gpt-x:
    { icon: /x.png, description: An X, type: chat, tags: [fast], manufacturer: OpenAI, price_type: 2, context: 128K, specification: [MoE], publish_time: "2026-11-01", status: 1 }
`;
const environment = {
  MAIL_TOKEN: 'mail-secret',
  SPARE_KEY: 'sk-spare',
  PROXY: 'http://proxy-user:proxy-pass@proxy.example.com',
};
const secrets = ['mail-secret', 'sk-spare', 'sk-main', 'proxy-pass', 'user:pass'];

/** A site that has the file's configuration. */
async function appliedSite() {
  const opened = await openSite();
  const file = join(folder, 'site.yaml');
  writeFileSync(join(folder, 'main.key'), 'sk-main\n');
  writeFileSync(file, site);
  const applied = await opened.config(['apply', file], { environment });
  expect([applied.stderr.trim(), applied.exitCode]).toEqual(['Added 3, changed 5, removed 0', 0]);
  return { ...opened, file, applied };
}

test('a file sets options, adds channels and models, and a second run changes nothing', async () => {
  const { config, operator, file, applied } = await appliedSite();
  expect(applied.stdout).toContain('~ options.SystemName');
  for (const secret of secrets) expect(applied.stdout).not.toContain(secret);
  const channels = (await operator.channel.list({})).items;
  expect(channels.find(({ name }) => name === 'Main')).toMatchObject({
    priority: 5,
    models: 'gpt-x,gpt-y',
    status: 1,
  });
  expect(channels.find(({ name }) => name === 'Spare')).toMatchObject({ status: 2 });
  const again = await config(['apply', file, '--exit-code'], { environment });
  expect([again.exitCode, again.stdout, again.stderr.trim()]).toEqual([0, '', 'Nothing to change']);
});

test('what is exported has no secret, is the same each time, and applies without a change', async () => {
  const { config, applyText } = await appliedSite();
  const { stdout } = await config(['export']);
  for (const secret of secrets) expect(stdout).not.toContain(secret);
  expect(stdout).toContain('SMTPToken: secret:keep');
  expect((await config(['export'])).stdout).toBe(stdout);
  for (const text of [
    stdout,
    (await config(['export', '--json'])).stdout,
    (await config(['export', '--all'])).stdout,
  ]) {
    const applied = await applyText(text, ['--prune', '--exit-code']);
    expect([applied.stderr.trim(), applied.exitCode]).toEqual(['Nothing to change', 0]);
  }
  const file = join(folder, 'out.yaml');
  expect((await config(['export', file])).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(stdout);
  expect((await config(['export', file])).exitCode).toBe(2);
});

test('a dry run shows differences by entry and writes nothing', async () => {
  const { applyText, operator } = await appliedSite();
  const changed = `turnpike: 1
options: { ModelRatio: { gpt-x: null, gpt-y: 3, gpt-z: 1 }, RetryTimes: 3 }
channels: { Main: { models: [gpt-x, gpt-z], priority: 6 } }
`;
  const dry = await applyText(changed, ['--dry-run', '--exit-code']);
  expect(dry.exitCode).toBe(1);
  const lines = dry.stdout.split('\n').map((line) => line.trim());
  expect(lines).toEqual(
    expect.arrayContaining([
      '- gpt-x: 1.5',
      '~ gpt-y: 2 → 3',
      '+ gpt-z: 1',
      '- models: gpt-y',
      '+ models: gpt-z',
      '~ priority: 5 → 6',
    ]),
  );
  expect((await operator.channel.list({})).items.find(({ name }) => name === 'Main')).toMatchObject(
    { priority: 5 },
  );
  const json = (await applyText(changed, ['--dry-run', '--json'])).json<{
    changes: unknown[];
    applied: boolean;
  }>();
  expect([json.changes.length, json.applied]).toEqual([2, false]);
});

test('--prune resets and deletes what the file lacks, in its sections only, and needs --yes', async () => {
  const { applyText, operator } = await appliedSite();
  const rest =
    'turnpike: 1\nchannels: { Main: { type: openai, key: secret:keep, models: [gpt-x] } }\n';
  const refused = await applyText(rest, ['--prune']);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  expect((await applyText(rest, ['--prune', '--yes'])).exitCode).toBe(0);
  const { items } = await operator.channel.list({});
  expect(items.map(({ name, priority, setting }) => [name, priority, setting])).toEqual([
    ['Main', 0, ''],
  ]);
  const options = await operator.option.list({ with_flags: true });
  expect(options.find(({ key }) => key === 'RetryTimes')?.value).toBe('3');
});

test('each change has one row in the audit log, and secrets that are set are written only on demand', async () => {
  const { config, operator, file } = await appliedSite();
  const count = async () => (await operator.audit.list({})).total;
  const before = await count();
  expect((await config(['apply', file], { environment })).exitCode).toBe(0);
  expect(await count()).toBe(before);
  const again = await config(['apply', file, '--write-secrets'], { environment });
  expect(again.stderr.trim()).toBe('Added 0, changed 3, removed 0');
  expect(await count()).toBe(before + 3);
});

test.each([
  ['options: { RetryTimes: -1 }', 'RetryTimes'],
  ['options: { NoSuchOption: 1 }', 'NoSuchOption'],
  ['options: { SMTPToken: plain-text }', 'is a secret'],
  ['options: { GitHubOAuthEnabled: true }', 'first'],
  ['channels: { New: { type: openai, key: sk-plain, models: [a] } }', 'is a secret'],
  ['channels: { New: { type: nobody, key: env:K, models: [a] } }', 'nobody'],
  ['channels: { New: { type: openai, key: env:MISSING, models: [a] } }', 'MISSING is not set'],
  ['channels: { New: { type: openai, key: secret:keep, models: [a] } }', 'no secret to keep'],
  ['channels: { New: { type: openai, weigth: 1 } }', 'weigth'],
  ['channels: { New: { type: openai, weight: heavy } }', 'weight'],
  ['channels: { New: { type: openai, key: env:TWO, models: [a] } }', 'multi_key_mode'],
  ['channels: { A: { type: openai }, A: { type: openai } }', 'unique'],
  ['models: { m: { icon: /x.png } }', 'models.m'],
  ['tokens: {}', 'there are options, channels, models'],
  ['options: [', '<stdin>:2:'],
])('%s is refused before anything is written', async (text, words) => {
  const { applyText, operator } = await openSite();
  const before = await operator.option.list({ with_flags: true });
  const file = text.startsWith('options:')
    ? `turnpike: 1\n${text}\n`
    : `turnpike: 1\noptions: { SystemName: Other }\n${text}\n`;
  const refused = await applyText(file, [], { environment: { K: 'k', TWO: 'one\ntwo' } });
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain(words);
  expect(await operator.option.list({ with_flags: true })).toEqual(before);
});

test('channels of the same name are told apart by their ids', async () => {
  const { config, operator, applyText } = await openSite();
  for (const key of ['a', 'b'])
    await operator.channel.create({ name: 'Twin', type: 1, key, models: 'm' });
  const { stdout } = await config(['export']);
  expect(stdout).toContain('Twin#1:');
  expect((await applyText(stdout, ['--prune', '--exit-code'])).exitCode).toBe(0);
  expect((await applyText('turnpike: 1\nchannels: { Twin#2: { priority: 7 } }\n')).exitCode).toBe(
    0,
  );
  expect(
    (await operator.channel.list({ id_sort: true })).items
      .map(({ id, priority }) => [id, priority])
      .sort(),
  ).toEqual([
    [1, 0],
    [2, 7],
  ]);
  const refused = await applyText('turnpike: 1\nchannels: { Twin: { priority: 8 } }\n');
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('Twin#1, Twin#2'),
  ]);
});

test('a file of another version is refused', async () => {
  const { applyText } = await openSite();
  expect((await applyText('turnpike: 2\n')).exitCode).toBe(2);
  expect((await applyText('just text')).stderr).toContain('turnpike: 1');
});

/**
 * What customers of a New API site had and have after the move: second factors, groups, allowlists,
 * settings of channels.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findTotpStep, fromBase32, totpCode } from '../../../src/core/accounts/factors/totp.ts';
import { addRows, commonRows, writeFamilyFile } from '../../support/family-database.ts';
import { type ImportReportJson, notesOf, withImportedSite } from '../../support/imported-site.ts';
import { runCli } from '../run-cli.ts';

let folder = '';
let file = '';
let dataDir = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-import-customers-'));
  file = join(folder, 'one-api.db');
  dataDir = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...argv: readonly string[]) => {
  const result = await runCli(['import', 'newapi', file, '--data-dir', dataDir, '--json', ...argv]);
  expect(result.stderr).toBe('');
  return result.json<ImportReportJson>();
};
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const address = { key: 'ServerAddress', value: 'https://ai.example.com/' };

test('authenticator apps and passkeys go on working; what was never switched on or cannot work is left out', async () => {
  const app = (id: number, user_id: number, more = {}) => ({
    id,
    user_id,
    secret,
    is_enabled: true,
    created_at: '2025-04-11 23:31:32',
    ...more,
  });
  const passkey = (id: number, user_id: number, more = {}) => ({
    id,
    user_id,
    credential_id: Buffer.from([251, 255, id]).toString('base64'),
    public_key: Buffer.from('a COSE key').toString('base64'),
    sign_count: 5,
    transports: '["internal","hybrid"]',
    backup_state: true,
    ...more,
  });
  const rows = addRows(commonRows, {
    options: [address, { key: 'passkey.enabled', value: 'true' }],
    two_fas: [
      app(1, 1),
      app(2, 2, { is_enabled: false }),
      app(3, 3, { secret: 'not base32!' }),
      app(4, 99),
      app(5, 5, { deleted_at: '2025-04-11 23:31:32' }),
    ],
    two_fa_backup_codes: [{ id: 1, user_id: 1, code_hash: '$2a$10$x' }],
    passkey_credentials: [passkey(1, 2), passkey(2, 2, { public_key: '' })],
  });
  writeFamilyFile(file, 'newapi-1.0', rows);
  const report = await run();
  expect(report.tables.find(({ table }) => table === 'two_fas')).toMatchObject({
    read: 5,
    carried: 1,
    left_out: 4,
  });
  expect(notesOf(report, 'two_fas')).toEqual({
    factor_inactive: ['user 2', 'user 5'],
    factor_unusable: ['user 3'],
    owner_missing: ['user 99'],
  });
  expect(notesOf(report, 'passkey_credentials')).toEqual({ factor_unusable: ['user 2'] });
  expect(report.left_out_tables).toContainEqual({
    table: 'two_fa_backup_codes',
    rows: 1,
    loss: 'recovery_codes',
  });
  await withImportedSite(dataDir, async ({ secondFactors, options }) => {
    const totp = await secondFactors.findTotp(1);
    expect(totp?.confirmedAt).toBe(Date.parse('2025-04-11T23:31:32Z') / 1000);
    const code = totpCode(fromBase32(secret), 1_000);
    expect(findTotpStep(totp?.secret.reveal() ?? '', code, 30_000)).toBe(1_000);
    expect(
      await secondFactors.findPasskey(Buffer.from([251, 255, 1]).toString('base64url')),
    ).toMatchObject({
      userId: 2,
      counter: 5,
      transports: 'internal,hybrid',
      rpId: 'ai.example.com',
      backedUp: true,
    });
    expect(await secondFactors.has(3)).toBe(false);
    expect(await options.find('PasskeyLoginEnabled')).toMatchObject({ value: 'true' });
    await secondFactors.deleteByUser(1);
  });
  // Who has removed a factor here does not get it back.
  expect((await run()).tables.find(({ table }) => table === 'two_fas')).toMatchObject({
    carried: 0,
    already_there: 1,
  });
});

test('passkeys of another host than the site has are left out, because they would lock their owners out', async () => {
  const credential = { id: 1, user_id: 2, credential_id: 'AAEC', public_key: 'AAEC' };
  const other = { key: 'passkey.rp_id', value: 'example.com' };
  writeFamilyFile(
    file,
    'newapi-1.0',
    addRows(commonRows, { options: [address, other], passkey_credentials: [credential] }),
  );
  expect(notesOf(await run(), 'passkey_credentials')).toEqual({ factor_unusable: ['user 2'] });
  expect(await withImportedSite(dataDir, ({ secondFactors }) => secondFactors.has(2))).toBe(false);
});

test('tokens of group auto get a group of this site, and allowlists lose the commas that New API ignored', async () => {
  const token = (id: number, more: object) => ({
    id,
    user_id: 1,
    status: 1,
    name: `t${id}`,
    remain_quota: 0,
    used_quota: 0,
    ...more,
  });
  const rows = addRows(commonRows, {
    options: [{ key: 'AutoGroups', value: '["vip","default"]' }],
    tokens: [
      token(8, { key: 'a'.repeat(48), group: 'auto', cross_group_retry: true }),
      token(9, { key: 'b'.repeat(48), allow_ips: ' 192.0.2.1, \n192.0.2.2,' }),
    ],
  });
  writeFamilyFile(file, 'newapi-1.0', rows);
  expect(notesOf(await run(), 'tokens')).toMatchObject({ group_auto: ['8 t8'] });
  await withImportedSite(dataDir, async ({ tokens }) => {
    expect(await tokens.find(8)).toMatchObject({ group: 'vip' });
    expect(await tokens.find(9)).toMatchObject({ status: 1, allowIps: '192.0.2.1\n192.0.2.2' });
  });
});

test('options that New API has renamed count by their later name', async () => {
  const options = [
    { key: 'DisplayInCurrencyEnabled', value: 'true' },
    { key: 'general_setting.quota_display_type', value: 'TOKENS' },
  ];
  writeFamilyFile(file, 'newapi-1.0', addRows(commonRows, { options }));
  await run();
  const stored = await withImportedSite(dataDir, (storage) =>
    storage.options.find('DisplayInCurrencyEnabled'),
  );
  expect(stored).toMatchObject({ value: 'false' });
});

test('channels of vendors that came to New API later are named, or speak the API that they are known for', async () => {
  const channel = (id: number, type: number, name: string) => ({
    id,
    type,
    key: 'k',
    status: 1,
    name,
    models: 'm',
    group: 'default',
  });
  writeFamilyFile(
    file,
    'newapi-1.0',
    addRows(commonRows, { channels: [channel(20, 50, 'video'), channel(21, 53, 'submodel')] }),
  );
  expect(notesOf(await run(), 'channels')).toMatchObject({ type_unsupported: ['20 video: Kling'] });
  await withImportedSite(dataDir, async ({ channels }) => {
    expect(await channels.find(20)).toMatchObject({ type: 8, status: 2 });
    expect(await channels.find(21)).toMatchObject({
      type: 1,
      status: 1,
      baseUrl: 'https://llm.submodel.ai',
    });
  });
});

test("the settings of a channel in New API's second column are carried, too", async () => {
  const channel = {
    id: 20,
    type: 3,
    key: 'k',
    status: 1,
    name: 'azure',
    models: 'm',
    group: 'default',
    setting: '{"proxy":"http://proxy.example:3128"}',
    settings: '{"azure_responses_version":"preview","allow_service_tier":true}',
  };
  writeFamilyFile(file, 'newapi-1.0', addRows(commonRows, { channels: [channel] }));
  await run();
  const setting = await withImportedSite(
    dataDir,
    async ({ channels }) => (await channels.find(20))?.setting,
  );
  expect(JSON.parse(setting ?? '')).toEqual({
    proxy: 'http://proxy.example:3128',
    azure_responses_version: 'preview',
    allow_service_tier: true,
  });
});

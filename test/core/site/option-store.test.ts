import { describe, expect, test } from 'vitest';
import { codeOf, createTestApp } from '../../support/app.ts';

test('a change is checked, stored, in effect, announced and written down', async () => {
  const { app, root } = await createTestApp();
  const heard: string[] = [];
  app.cluster.changes.listen(({ kind }) => {
    heard.push(kind);
  });
  await app.site.options.set(root, 'QuotaPerUnit', '1000');
  expect(app.site.options.get('QuotaPerUnit')).toBe(1000);
  expect(await app.storage.options.find('QuotaPerUnit')).toMatchObject({ value: '1000' });
  expect(heard).toEqual(['options']);
  const [entry] = (
    await app.storage.auditLogs.page({ action: 'option.set' }, { offset: 0, limit: 1 })
  ).items;
  expect(entry).toMatchObject({ actorId: 1, target: 'QuotaPerUnit' });
  expect(JSON.parse(entry?.detail ?? '')).toEqual({ from: '500000', to: '1000' });
  await app.site.options.reset(root, 'QuotaPerUnit');
  expect(app.site.options.get('QuotaPerUnit')).toBe(500_000);
  expect(await app.storage.options.find('QuotaPerUnit')).toBeNull();
});

test('a value that stays is in no audit entry; of a long one it has the part that differs', async () => {
  const { app, root, operator } = await createTestApp();
  const { options } = app.site;
  const entries = async () =>
    (await operator.audit.list({ action: 'option.' })).items.map(({ detail }) => detail);
  await options.set(root, 'PasswordLoginEnabled', true);
  await options.reset(root, 'QuotaPerUnit');
  expect(await entries()).toEqual([]);
  await options.set(root, 'SMTPToken', 'hush-hush');
  await options.set(root, 'SMTPToken', 'hush-hush');
  expect(await entries()).toHaveLength(2);

  const words = Array.from({ length: 60 }, (_, at) => `word${at}`);
  const join = (last: string) => [...words, last].join('\n');
  await options.set(root, 'SensitiveWords', join('old'));
  await options.set(root, 'SensitiveWords', join('new'));
  const [entry = ''] = await entries();
  const { from, to } = JSON.parse(entry) as { from: string; to: string };
  expect([from.at(0), from.endsWith('word59\nold'), to.endsWith('word59\nnew')]).toEqual([
    '…',
    true,
    true,
  ]);
  expect(from.length).toBeLessThan(60);
});

describe('what does not fit changes nothing', () => {
  test.each([
    ['NoSuchOption', 'x', 'option_unknown'],
    ['QuotaPerUnit', '0', 'option_invalid'],
    ['RetryTimes', 'many', 'option_invalid'],
    ['ModelRatio', '{"gpt-4o":', 'option_invalid'],
    ['ModelRatio', '{"gpt-4o":-1}', 'option_invalid'],
    ['GitHubOAuthEnabled', 'true', 'option_needs'],
  ])('%s = %s: %s', async (key, value, code) => {
    const { app, root } = await createTestApp();
    const before = app.site.options.values();
    const stored = await app.storage.options.list();
    expect(await codeOf(app.site.options.set(root, key, value))).toBe(code);
    expect(app.site.options.values()).toBe(before);
    expect(await app.storage.options.list()).toEqual(stored);
  });
});

test('secrets: kept by an empty text, cleared by a dash, never listed, not in the audit log, sealed at rest', async () => {
  const { app, operator, root } = await createTestApp();
  await app.site.options.set(root, 'SMTPToken', 'hush-hush');
  await app.site.options.set(root, 'SMTPToken', '');
  expect(app.site.options.get('SMTPToken')).toBe('hush-hush');
  const listed = await operator.option.list({ with_flags: true });
  expect(listed.find(({ key }) => key === 'SMTPToken')).toEqual({
    key: 'SMTPToken',
    value: '',
    configured: true,
  });
  expect((await operator.option.list()).some(({ key }) => key === 'SMTPToken')).toBe(false);
  const audited = await app.storage.auditLogs.page({}, { offset: 0, limit: 100 });
  expect(JSON.stringify([listed, audited])).not.toContain('hush-hush');
  await app.site.options.set(root, 'SMTPToken', '-');
  expect(app.site.options.get('SMTPToken')).toBe('');
});

test('what an enabled option needs can neither be cleared nor reset, except together with it', async () => {
  const { app, root } = await createTestApp();
  const { options } = app.site;
  await options.setMany(root, [
    { key: 'GitHubClientId', value: 'id' },
    { key: 'GitHubClientSecret', value: 'hush' },
    { key: 'GitHubOAuthEnabled', value: true },
  ]);
  expect(await codeOf(options.set(root, 'GitHubClientSecret', '-'))).toBe('option_in_use');
  expect(await codeOf(options.reset(root, 'GitHubClientId'))).toBe('option_in_use');
  await options.setMany(root, [
    { key: 'GitHubClientSecret', value: '-' },
    { key: 'GitHubOAuthEnabled', value: false },
  ]);
  expect(options.get('GitHubClientSecret')).toBe('');
});

test('flags: the default of what was changed, and whether a secret switch is on', async () => {
  const { app, root } = await createTestApp();
  const row = (name: string) => app.site.options.list(root, true).find(({ key }) => key === name);
  expect(row('RetryTimes')).toEqual({ key: 'RetryTimes', value: '2' });
  expect(row('RequireOriginalPassword')).toBeUndefined();
  await app.site.options.setMany(root, [
    { key: 'RetryTimes', value: 5 },
    { key: 'RequireOriginalPassword', value: true },
  ]);
  expect(row('RetryTimes')).toEqual({ key: 'RetryTimes', value: '5', default: '2' });
  expect(row('RequireOriginalPassword')).toEqual({
    key: 'RequireOriginalPassword',
    value: '',
    configured: true,
  });
  expect(app.site.options.list(root, false).find(({ key }) => key === 'RetryTimes')).toEqual({
    key: 'RetryTimes',
    value: '5',
  });
});

test('every listed option is in order of keys and written back as it was read', async () => {
  const { app, root } = await createTestApp();
  const listed = app.site.options.list(root, false);
  expect(listed.map(({ key }) => key)).toEqual(
    listed.map(({ key }) => key).toSorted((a, b) => (a < b ? -1 : 1)),
  );
  for (const { key, value } of listed) {
    await app.site.options
      .set(root, key, value)
      .catch((error: { code?: string }) => expect(error.code).toBe('option_needs'));
  }
  expect(app.site.options.list(root, false)).toEqual(listed);
});

test('a stored text that cannot be read falls back to the default and stays stored', async () => {
  const { app } = await createTestApp();
  await app.storage.options.set({ key: 'ModelRatio', value: '{broken', hidden: false });
  await app.storage.options.set({ key: 'SomethingImported', value: 'kept', hidden: false });
  await app.site.options.refresh();
  expect(Object.keys(app.site.options.get('ModelRatio')).length).toBeGreaterThan(10);
  expect(await app.storage.options.find('SomethingImported')).not.toBeNull();
});

test('the status object follows options and hides secrets', async () => {
  const { app, operator, root } = await createTestApp();
  const before = app.setup.status();
  expect(app.setup.status()).toBe(before);
  await app.site.options.set(root, 'Footer', '<b>hi</b>');
  expect(await operator.system.status()).toMatchObject({
    footer_html: '<b>hi</b>',
    setup: true,
    version: 'test',
  });
});

test('several are checked beside each other and stored together, or not at all', async () => {
  const { app, root } = await createTestApp();
  const heard: string[] = [];
  app.cluster.changes.listen(({ kind }) => {
    heard.push(kind);
  });
  const github = [
    { key: 'GitHubOAuthEnabled', value: true },
    { key: 'GitHubClientId', value: 'id' },
    { key: 'GitHubClientSecret', value: 'secret' },
  ];
  expect(
    await codeOf(app.site.options.setMany(root, [...github, { key: 'RetryTimes', value: 'many' }])),
  ).toBe('option_invalid');
  expect(app.site.options.get('GitHubClientId')).toBe('');
  expect(heard).toEqual([]);
  await app.site.options.setMany(root, github);
  expect(app.site.options.get('GitHubOAuthEnabled')).toBe(true);
  expect(heard).toEqual(['options']);
  const { items } = await app.storage.auditLogs.page(
    { action: 'option.set' },
    { offset: 0, limit: 9 },
  );
  expect(items.map(({ target }) => target).toSorted()).toEqual(
    github.map(({ key }) => key).toSorted(),
  );
  expect(JSON.stringify(items)).not.toContain('secret"');
});

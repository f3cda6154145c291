// Covers src/core/site, src/core/kernel/secret-texts.ts.
/**
 * Who reads options and who changes them, on every path (docs/rules/options.md#readers): the
 * console's API, which is New API's, the command line through it, and the export of a configuration.
 */
import { expect, test } from 'vitest';
import { layOutCall } from '../../src/core/contract/client.ts';
import type { Endpoint } from '../../src/core/contract/endpoint.ts';
import { api } from '../../src/core/contract/index.ts';
import type { Actor } from '../../src/core/kernel/actor.ts';
import { hiddenText } from '../../src/core/kernel/secret-texts.ts';
import { isSecretOption, type OptionKey, optionKeys } from '../../src/core/options/index.ts';
import { createLocalTransport } from '../../src/server/local-client.ts';
import { runCli } from '../cli/run-cli.ts';
import { sampleOf } from '../support/option-samples.ts';
import { startTestServer } from './http.ts';

const calls: readonly Endpoint[] = Object.values(api).flatMap(
  (group) => Object.values(group) as Endpoint[],
);

/** Credentials within options that are no secrets as a whole. */
const planted: Readonly<Partial<Record<OptionKey, string>>> = {
  'claude.model_headers_settings': '{"claude-x":{"x-api-key":["planted-in-a-header"]}}',
  'ledger.seal_url': 'https://seals.example/take?token=planted-in-a-query',
  'model_sync.proxy': 'socks5://user:planted-in-an-address@proxy.example:1080',
  'sms.webhook_url': 'https://sms.example/hooks/planted-in-a-path',
};
const secretTexts = () =>
  optionKeys
    .filter(isSecretOption)
    .map(sampleOf)
    .filter((text) => text !== 'true');

async function startSite() {
  const server = await startTestServer();
  const { operator, addUser, signIn } = server;
  const values = [
    ...optionKeys.filter(isSecretOption).map((key) => ({ key, value: sampleOf(key) })),
    ...Object.entries(planted).map(([key, value]) => ({ key, value })),
    { key: 'RetryTimes', value: 7 },
  ];
  await operator.option.setMany({ values });
  const id = await addUser('adm', { role: 10 });
  const { username, group } = await operator.user.get({ id });
  const actor: Actor = { id, username, role: 10, group, ip: '' };
  return { ...server, actor, admin: await signIn('adm'), root: await signIn('root') };
}

test('an administrator reads all options, without secrets and without credentials within others', async () => {
  const { send, admin, root } = await startSite();
  type Row = { key: string; value: string; configured?: boolean; default?: string };
  const read = async (headers: Record<string, string>, query: string) =>
    (await send('GET', `/api/option/${query}`, { headers })).json.data as Row[];
  for (const query of ['', '?with_flags=true']) {
    const [mine, roots] = [await read(admin, query), await read(root, query)];
    expect(mine.map(({ key }) => key)).toEqual(roots.map(({ key }) => key));
    const different = mine.filter((row, index) => row.value !== roots[index]?.value);
    expect(different.map(({ key }) => key).toSorted()).toEqual(Object.keys(planted).toSorted());
    for (const { value } of different) expect(value).toContain(hiddenText);
    const others = mine.map((row, index) => ({ ...row, value: roots[index]?.value }));
    expect(others).toEqual(roots);
  }
  const flags = await read(admin, '?with_flags=true');
  expect(flags.find(({ key }) => key === 'SMTPToken')).toEqual({
    key: 'SMTPToken',
    value: '',
    configured: true,
  });
  expect(flags.find(({ key }) => key === 'RetryTimes')).toMatchObject({ value: '7', default: '2' });
});

test('no read that an administrator may make has a secret of the options in its reply', async () => {
  const { send, admin } = await startSite();
  const hidden = [
    ...secretTexts(),
    ...Object.values(planted).flatMap((text) => text.match(/planted-in-a\w?-\w+/g) ?? []),
  ];
  expect(hidden.length).toBeGreaterThan(15);
  let read = 0;
  for (const call of calls) {
    if (call.method !== 'GET' || call.changes || call.access === 'root') continue;
    const { path } = layOutCall(call, { id: 1 });
    // A stream that does not end by itself.
    if (path.includes('/tail')) continue;
    const { status, text } = await send('GET', path, { headers: admin });
    if (status === 200) read += 1;
    for (const secret of hidden) expect(text.includes(secret), `${path}: ${secret}`).toBe(false);
  }
  expect(read).toBeGreaterThan(40);
});

test('nothing that changes options is an administrator’s: refused, and nothing is stored', async () => {
  const { app, send, admin } = await startSite();
  const before = app.site.options.values();
  const changes: Readonly<Record<string, unknown>> = {
    'PUT /api/option/': { key: 'RetryTimes', value: '1' },
    'PUT /api/turnpike/option': { values: [{ key: 'RetryTimes', value: '1' }] },
    'POST /api/turnpike/option/reset': { key: 'RetryTimes' },
    'POST /api/option/rest_model_ratio': {},
    'POST /api/option/oidc_discovery': { well_known: 'http://127.0.0.1:1' },
    'POST /api/turnpike/config': { options: [{ key: 'RetryTimes', value: '1' }] },
    'POST /api/turnpike/prices/preview': {},
    'POST /api/turnpike/prices/apply': {},
    'POST /api/turnpike/models/sync': {},
    'POST /api/turnpike/losses/below_cost': {},
  };
  // Whoever adds a call about options says here that it refuses administrators.
  const declared = calls
    .filter(({ method, path }) => method !== 'GET' && /option|\/config$|\/prices\//.test(path))
    .filter(({ path }) => !/passkey|second-factor|step-up/.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(changes)).toEqual(expect.arrayContaining(declared));
  for (const [name, body] of Object.entries(changes)) {
    const [method = '', path = ''] = name.split(' ');
    const { json } = await send(method, path, { headers: admin, body });
    expect([name, json.success, json.reason ?? json.code]).toEqual([name, false, 'forbidden']);
  }
  expect(app.site.options.values()).toBe(before);
});

test('the command line reads for an administrator what the API gives, and changes nothing', async () => {
  const { app, actor } = await startSite();
  const asAdmin = { transport: createLocalTransport(app, actor, 'en') };
  const asRoot = { transport: createLocalTransport(app, undefined, 'en') };
  const listed = await runCli(['options', 'list', '--json'], asAdmin);
  const got = await runCli(['options', 'get', 'sms.webhook_url'], asAdmin);
  expect(got.stdout.trim()).toBe(hiddenText);
  const mine = await runCli(['config', 'export'], asAdmin);
  const roots = await runCli(['config', 'export'], asRoot);
  expect([listed.exitCode, got.exitCode, mine.exitCode]).toEqual([0, 0, 0]);
  for (const { stdout } of [listed, got, mine])
    for (const secret of [...secretTexts(), 'planted-in']) expect(stdout).not.toContain(secret);
  // So the file of an administrator, applied by root, overwrites no credential.
  expect(mine.stdout).toBe(roots.stdout);
  for (const change of [
    ['options', 'set', 'RetryTimes', '1'],
    ['options', 'reset', 'RetryTimes', '--yes'],
  ]) {
    const run = await runCli([...change, '--json'], asAdmin);
    expect([run.exitCode === 0, run.failure().code]).toEqual([false, 'forbidden']);
  }
  expect(app.site.options.get('RetryTimes')).toBe(7);
});

/**
 * examples/compose/several without a container engine: its services as processes with the
 * environment that the file gives them, its Caddyfile before them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort, postgresIsInstalled, startPostgres } from '../support/postgres.ts';
import { hasRedis, startRedis } from '../support/redis-server.ts';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../support/spawned-gateway.ts';
import { hasTool } from '../support/tools.ts';
import { chatStream, startUpstream, type TestUpstream } from '../support/upstream.ts';

interface Service {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
}

const example = join(import.meta.dirname, '../../examples/compose/several');
const { services } = parse(readFileSync(join(example, 'compose.yaml'), 'utf8'), {
  merge: true,
}) as { services: Readonly<Record<string, Service>> };
const gatewayNames = Object.keys(services).filter((name) => services[name]?.image === 'turnpike');

const usable =
  process.platform === 'linux' && postgresIsInstalled() && hasRedis() && hasTool('caddy');

describe.skipIf(!usable)('two gateways of a compose file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-compose-'));
  const closing: (() => Promise<void>)[] = [];
  let gateways: readonly SpawnedGateway[] = [];
  let upstream: TestUpstream;
  let url: string;

  /** What stands in `.env` (example.env). */
  const values: Record<string, string> = {
    POSTGRES_PASSWORD: 'password',
    CRYPTO_SECRET: 'a-long-random-text-for-keys',
    SESSION_SECRET: 'a-long-random-text-for-sessions',
    SETUP_TOKEN: 'TESTAB',
  };
  const filledIn = (text: string): string =>
    text.replace(/\$\{([A-Z_]+):\?\}/g, (_, name: string) => values[name] ?? `no ${name}`);

  /** The environment of a service, with this machine's addresses for those of the containers. */
  const environmentOf = (name: string, addresses: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => [
        variable,
        addresses[filledIn(value)] ?? filledIn(value),
      ]),
    );

  beforeAll(async () => {
    const postgres = await startPostgres();
    closing.push(() => postgres.stop());
    const redis = await startRedis();
    closing.push(() => redis.stop());
    upstream = await startUpstream();
    closing.push(() => upstream.close());
    upstream.answer(chatStream(['through ', 'Caddy']));

    const addresses = {
      'postgres://turnpike:password@postgres/turnpike': await postgres.createDatabase(),
      'redis://redis:6379/0': redis.url,
      '/uploads': join(folder, 'uploads'),
    };
    mkdirSync(addresses['/uploads']);
    gateways = await Promise.all(
      gatewayNames.map((name) =>
        spawnGateway({ ...environmentOf(name, addresses), ALLOW_PRIVATE_UPSTREAM: 'true' }),
      ),
    );
    closing.push(
      ...gateways.map((gateway) => async () => {
        await gateway.kill(); // a stop would wait for a balancer
        await gateway.close();
      }),
    );

    url = `http://127.0.0.1:${await freePort()}`;
    const caddy = startCaddy(url);
    closing.push(async () => {
      const ended = once(caddy, 'exit');
      caddy.kill('SIGTERM');
      await ended;
    });
  });

  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The example's Caddyfile at this address, before the gateways of this test. */
  function startCaddy(address: string): ChildProcess {
    const file = gatewayNames.reduce(
      (text, name, place) => text.replace(`${name}:3000`, new URL(gateways[place]?.url ?? '').host),
      readFileSync(join(example, 'Caddyfile'), 'utf8'),
    );
    expect(file).not.toContain(':3000');
    const path = join(folder, 'Caddyfile');
    writeFileSync(path, `{\n\tadmin off\n}\n${file}`);
    return spawn('caddy', ['run', '--config', path, '--adapter', 'caddyfile'], {
      env: {
        PATH: [process.env['PATH'], '/usr/sbin'].join(delimiter),
        SITE_ADDRESS: address,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      },
      stdio: 'ignore',
    });
  }

  test('are set up, stream through Caddy, and go on when one of them stops', async () => {
    expect(gatewayNames).toHaveLength(2);
    await expect.poll(() => fetch(`${url}/readyz`).then(({ status }) => status, String)).toBe(200);
    const [first, second] = gateways as [SpawnedGateway, SpawnedGateway];
    const password = 'a long password';
    const operator = operatorOf(second);
    await operatorOf(first).system.setup({
      username: 'root',
      password,
      confirmPassword: password,
      setup_token: values['SETUP_TOKEN'] ?? '',
      SiteLanguage: 'en',
    });
    await operator.channel.create({
      type: 1,
      name: 'upstream',
      key: 'sk-upstream',
      base_url: upstream.url,
      models: 'gpt-4o',
      group: 'default',
    });
    const { key } = await operator.token.create({ name: 'app', unlimited_quota: true });

    const sdk = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${url}/v1`, maxRetries: 0 });
    const ask = async () => {
      let said = '';
      const stream = await sdk.chat.completions.create({
        model: 'gpt-4o',
        stream: true,
        messages: [{ role: 'user', content: 'Hello' }],
      });
      for await (const { choices } of stream) said += choices[0]?.delta.content ?? '';
      return said;
    };
    const answers = await Promise.all(Array.from({ length: 6 }, ask));
    expect(answers).toEqual(answers.map(() => 'through Caddy'));

    // As `docker compose stop gateway-1` does it: nobody who calls meanwhile is refused.
    let hasStopped = false;
    const stopping = first.stop().then(() => {
      hasStopped = true;
    });
    let count = answers.length;
    for (; !hasStopped; count += 1) expect(await ask()).toBe('through Caddy');
    await stopping;
    expect(await ask()).toBe('through Caddy');
    expect(count).toBeGreaterThan(answers.length);
    expect(await operator.ledger.verify({})).toMatchObject({ ok: true });
    expect((await operator.log.list({ type: 2 })).total).toBe(count + 1);
  });
});

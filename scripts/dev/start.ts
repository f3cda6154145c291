/**
 * `npm run dev`: the gateway from source with restart on change, the console with hot reload, a
 * scripted upstream and a demo site, in one command. Ctrl-C ends all of it. See CONTRIBUTING.md.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startTraffic } from '../../src/demo/demo.ts';
import { createRandom } from '../../src/demo/random.ts';
import { buildDemoSite, type DemoSite, readDemoSite } from '../../src/demo/site/build.ts';
import { followPort } from '../../src/demo/site/server-address.ts';
import { startScriptedUpstream } from '../../src/demo/upstream/server.ts';
import { startConsole } from './console.ts';
import { findPort, tryPort } from './ports.ts';
import { startRestartingGateway } from './restarting-gateway.ts';

const usage = `Usage: npm run dev -- [options]

  --console-port N   console with hot reload (5173)
  --port N           gateway (3000)
  --upstream-port N  scripted upstream (4010)
  --data-dir DIR     keep the demo site there; without it each start makes a new one, deleted at the end
  --days N           days of history (28)
  --requests N       requests in that history (1200)
  --traffic N        requests a minute while it runs; 0 for none (12)

A port that is taken is replaced by a free one.
`;

/** Fixed, because the site only listens on this machine and only contains generated data. */
const password = 'demo-password';

interface Settings {
  readonly consolePort: number;
  readonly port: number;
  readonly upstreamPort: number;
  readonly dataDir: string | undefined;
  readonly days: number;
  readonly requests: number;
  readonly traffic: number;
}

/** Undefined if help was requested. Throws TypeError on unknown options and invalid numbers. */
function readSettings(words: readonly string[]): Settings | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      help: { type: 'boolean', short: 'h' },
      'console-port': { type: 'string', default: '5173' },
      port: { type: 'string', default: '3000' },
      'upstream-port': { type: 'string', default: '4010' },
      'data-dir': { type: 'string' },
      days: { type: 'string', default: '28' },
      requests: { type: 'string', default: '1200' },
      traffic: { type: 'string', default: '12' },
    },
  });
  if (values.help) return undefined;
  const number = (
    name: 'console-port' | 'port' | 'upstream-port' | 'days' | 'requests' | 'traffic',
  ): number => {
    const value = Number(values[name]);
    if (!Number.isFinite(value) || value < 0)
      throw new TypeError(`--${name} takes a number, not ${values[name]}`);
    return value;
  };
  return {
    consolePort: number('console-port'),
    port: number('port'),
    upstreamPort: number('upstream-port'),
    dataDir: values['data-dir'],
    days: number('days'),
    requests: number('requests'),
    traffic: number('traffic'),
  };
}

/** What has been started, to be closed in reverse order. */
const closers: (() => unknown)[] = [];
let closing: Promise<void> | undefined;

function closeAll(): Promise<void> {
  closing ??= (async () => {
    for (const close of closers.reverse()) await close();
  })();
  return closing;
}

const report = (line: string): void => void process.stdout.write(`${line}\n`);

async function openSite(settings: Settings): Promise<{ dataDir: string; site: DemoSite }> {
  const kept = settings.dataDir === undefined ? undefined : resolve(settings.dataDir);
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'turnpike-dev-'));
  if (kept === undefined) closers.push(() => rmSync(dataDir, { recursive: true, force: true }));
  else mkdirSync(dataDir, { recursive: true });
  const found = readDemoSite(dataDir);
  if (found !== undefined) return { dataDir, site: found };
  report(`Making a demo site: ${settings.requests} requests over ${settings.days} days …`);
  const upstreamPort = await findPort(settings.upstreamPort);
  return { dataDir, site: await buildDemoSite({ ...settings, dataDir, upstreamPort, password }) };
}

async function start(settings: Settings): Promise<void> {
  const { dataDir, site } = await openSite(settings);
  if ((await tryPort(site.upstreamPort)) === undefined) {
    throw new Error(`port ${site.upstreamPort}, to which the channels of this site lead, is taken`);
  }
  const upstream = await startScriptedUpstream({
    port: site.upstreamPort,
    random: createRandom(Date.now()),
  });
  closers.push(upstream.close);
  const port = await findPort(settings.port);
  const limits = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', CRITICAL_RATE_LIMIT_ENABLE: 'false' };
  const gateway = await startRestartingGateway({ port, dataDir, report, environment: limits });
  closers.push(gateway.close);
  const gatewayUrl = `http://127.0.0.1:${port}`;
  await followPort(dataDir, gatewayUrl);
  const consolePort = await findPort(settings.consolePort);
  const consoleServer = await startConsole(consolePort, gatewayUrl);
  closers.push(consoleServer.close);
  const traffic = startTraffic(gatewayUrl, site.customers, settings.traffic);
  closers.push(traffic.stop);
  report(`
  Console   http://127.0.0.1:${consolePort}   (hot reload)
  Gateway   ${gatewayUrl}   (restarts on change)
  Upstream  ${upstream.url}   (scripted)
  Data      ${dataDir}${settings.dataDir === undefined ? '   (deleted at the end)' : ''}
  Sign in   ${site.rootName} / ${site.password}   (every demo user has this password)
  Token     ${site.customers[0]?.key ?? ''}

  Ctrl-C ends everything.
`);
}

const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => resolve());
});
let settings: Settings | undefined;
try {
  settings = readSettings(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exit(2);
}
if (settings === undefined) {
  report(usage);
  process.exit(0);
}
try {
  await Promise.race([start(settings).then(() => stopped), stopped]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
await closeAll();
process.exit();

/** `turnpike serve`, the default command (docs/rules/process.md#start). */
import { spawn } from 'node:child_process';
import type { Config } from '../../core/config/schema.ts';
import type { Logger } from '../../core/kernel/logger.ts';
import type { Gateway } from '../../server/start.ts';
import type { WorkerRole } from '../../server/workers.ts';
import type { ExitCode } from '../base/exit-codes.ts';
import type { Flag } from '../base/flags.ts';
import { version } from '../base/version.ts';
import { type Command, type Context, command, type Outcome } from '../command/command.ts';
import { dataDirFlag } from '../command/common-flags.ts';
import type { ProcessLog } from '../connection/process-log.ts';

const flags: readonly Flag[] = [
  {
    name: 'host',
    kind: 'text',
    placeholder: 'ADDRESS',
    summary: { en: 'Address to listen on (default 127.0.0.1)', zh: '监听地址（默认 127.0.0.1）' },
  },
  {
    name: 'port',
    kind: 'text',
    placeholder: 'N',
    summary: {
      en: 'Port to listen on, 0 for any (default 3000)',
      zh: '监听端口，0 为任意（默认 3000）',
    },
  },
  dataDirFlag,
  {
    name: 'database-url',
    kind: 'text',
    placeholder: 'URL',
    summary: {
      en: 'postgres://… (default: SQLite in the data folder)',
      zh: 'postgres://…（默认使用数据目录中的 SQLite）',
    },
  },
  {
    name: 'redis-url',
    kind: 'text',
    placeholder: 'URL',
    summary: { en: 'redis://…, shared by several processes', zh: 'redis://…，多进程共享' },
  },
  {
    name: 'no-open',
    kind: 'switch',
    summary: { en: 'Do not open the browser', zh: '不打开浏览器' },
  },
  {
    name: 'workers',
    kind: 'text',
    placeholder: 'N',
    summary: {
      en: 'Processes behind one port; more than one needs PostgreSQL and Redis (default 1)',
      zh: '共用一个端口的进程数；多于 1 个需要 PostgreSQL 和 Redis（默认 1）',
    },
  },
  {
    name: 'durability',
    kind: 'text',
    placeholder: 'full|normal',
    summary: {
      en: 'full survives a power cut, normal is faster (default full)',
      zh: 'full 断电不丢数据，normal 更快（默认 full）',
    },
  },
  {
    name: 'log-level',
    kind: 'text',
    placeholder: 'LEVEL',
    summary: {
      en: 'debug, info, warn, error or silent (default info)',
      zh: 'debug、info、warn、error 或 silent（默认 info）',
    },
  },
  {
    name: 'log-to',
    kind: 'text',
    placeholder: 'file|stdout|both',
    summary: {
      en: 'Where the process log goes: file, stdout or both (default file)',
      zh: '进程日志的去向：file、stdout 或 both（默认 file）',
    },
  },
  {
    name: 'log-format',
    kind: 'text',
    placeholder: 'json|text',
    summary: {
      en: 'json, one object per line, or text for people (default json)',
      zh: 'json（每行一个对象）或便于阅读的 text（默认 json）',
    },
  },
  {
    name: 'log-dir',
    kind: 'text',
    placeholder: 'DIR',
    summary: { en: 'Folder of log files', zh: '日志目录' },
  },
];

/**
 * Passes only flags from the command line: the configuration reads the environment, including the
 * names of One API / New API.
 */
async function loadServeConfig(context: Context) {
  const { loadConfig } = await import('../../core/config/load.ts');
  const typed = Object.fromEntries(
    flags.map((flag) => [flag.name, context.values.typed(flag.name)]),
  );
  const { 'no-open': _, ...rest } = typed;
  return loadConfig({
    flags: { ...rest, ...(context.values.on('no-open') ? { open: false } : {}) },
    environment: context.environment,
    cwd: process.cwd(),
  });
}

async function serve(context: Context): Promise<Outcome> {
  const { output, environment } = context;
  const { restartWithLimits, tuneHeap } = await import('../../server/heap.ts');
  if (context.ownsProcess) restartWithLimits();
  tuneHeap();
  const { config, warnings } = await loadServeConfig(context);
  const { openProcessLog } = await import('../connection/process-log.ts');
  const role = config.workers > 1 ? await (await workers()).findWorkerRole() : undefined;
  const stop = context.stop();
  const sinks = {
    stdout: { write: (text: string) => output.line(text.trimEnd()) },
    stderr: { write: (text: string) => output.aside(text) },
  };
  const log = openProcessLog(config, sinks, role?.place.number);
  // A reader of the log that goes away does not end the gateway.
  if (context.ownsProcess && config.logTo !== 'file')
    process.stdout.removeAllListeners('error').on('error', () => undefined);
  if (role !== undefined) return serveAsWorker(config, role, log, stop);
  for (const warning of warnings) {
    log.logger.warn({}, warning);
    output.note(texts.warning, { warning }, 'warn');
  }
  const gateway = await start(config, log.logger);
  if (typeof gateway === 'number') {
    await log.close();
    return { exitCode: gateway };
  }
  const setupUrl = `${gateway.url}/setup`;
  if (output.json)
    output.printJson({
      url: gateway.url,
      data_dir: gateway.dataDir,
      setup_code: gateway.setupCode ?? null,
    });
  else printBanner(context, gateway, config.logTo, log.path);
  const isWatched = context.terminal.interactive && !environment.CI;
  for (const { host, address } of gateway.separate)
    output.note(texts.separate, { host, address }, 'warn');
  if (config.open && isWatched && gateway.setupCode !== undefined)
    await openBrowser(setupUrl, context);
  notifySystemd(environment, '--ready');
  const stopped = new Promise<void>((resolve) =>
    stop.addEventListener('abort', () => resolve(), { once: true }),
  );
  if (!stop.aborted) await Promise.race([stopped, gateway.died]);
  notifySystemd(environment, '--stopping');
  output.note(texts.draining);
  await gateway.close();
  await log.close();
  return {};
}

const workers = () => import('../../server/workers.ts');

/**
 * One process, or a group whose workers SIGHUP renews. An exit code: the first worker has ended with
 * it, and has said why.
 */
async function start(config: Config, logger: Logger): Promise<Gateway | ExitCode> {
  if (config.workers === 1) {
    const { startGateway } = await import('../../server/start.ts');
    return startGateway(config, { logger, version });
  }
  const { startWorkers, WorkerFailed } = await workers();
  try {
    const group = await startWorkers(config, logger);
    process.on('SIGHUP', () => void group.renew());
    return group;
  } catch (error) {
    if (error instanceof WorkerFailed) return error.exitCode as ExitCode;
    throw error;
  }
}

/** The process that started it shows the banner, and says when it ends. */
async function serveAsWorker(
  config: Config,
  role: WorkerRole,
  log: ProcessLog,
  stop: AbortSignal,
): Promise<Outcome> {
  const { startGateway } = await import('../../server/start.ts');
  const { place } = role;
  const gateway = await startGateway(config, { logger: log.logger, version, place });
  process.on('SIGHUP', () => undefined); // from a terminal it reaches the whole group
  role.ready(gateway);
  const stopped = new Promise<'stop'>((resolve) => {
    if (stop.aborted) resolve('stop');
    stop.addEventListener('abort', () => resolve('stop'), { once: true });
  });
  const end = await Promise.race([role.end, stopped, gateway.died]);
  if (end === 'retire') await Promise.race([gateway.retire(), stopped.then(() => gateway.close())]);
  await gateway.close();
  await log.close();
  role.leave();
  return {};
}

/** Tells a unit of `Type=notify` (docs/operate.md#services); Node has no datagrams to do so. */
function notifySystemd(environment: NodeJS.ProcessEnv, state: '--ready' | '--stopping'): void {
  if (environment['NOTIFY_SOCKET'] === undefined) return;
  spawn('systemd-notify', [state], { stdio: 'ignore' }).once('error', () => undefined);
}

/**
 * A missing browser is not a failure: the banner contains the address. The address has no setup
 * code, because every user of the machine can read the arguments of a process.
 */
async function openBrowser(url: string, context: Context): Promise<void> {
  const { default: open } = await import('open');
  const child = await open(url).catch(() => undefined);
  child?.once('error', () => context.output.note(texts.noBrowser));
}

/**
 * The setup page with the code filled in. The code is in the fragment, which browsers send to no
 * server, so that it reaches no log (docs/rules/accounts.md#setup-code).
 */
function setupLink(url: string, code: string): string {
  return `${url}/setup#code=${encodeURIComponent(code.replaceAll(' ', '-'))}`;
}

/**
 * One write: what reads it through a pipe never sees a half of it. To stderr where the log has
 * stdout.
 */
function printBanner(
  context: Context,
  gateway: { url: string; dataDir: string; setupCode?: string | undefined },
  logTo: 'file' | 'stdout' | 'both',
  logPath: string,
): void {
  const { output } = context;
  const row = (
    title: { en: string; zh: string },
    value: string,
    tone: 'plain' | 'current' | 'dim' = 'plain',
  ) => `  ${output.paint('dim', output.localize(title))}  ${output.paint(tone, value)}`;
  const { url, setupCode } = gateway;
  const next =
    setupCode === undefined
      ? [`  ${output.localize(texts.nextUse)}`]
      : [
          row(texts.code, setupCode, 'current'),
          `  ${output.localize(texts.nextSetup, { url: setupLink(url, setupCode) })}`,
        ];
  const lines = [
    '',
    `  ${output.paint('title', `Turnpike ${version}`)}`,
    '',
    row(texts.address, url, 'current'),
    row(texts.api, `${url}/v1`),
    row(texts.data, gateway.dataDir),
    row(texts.log, logTo === 'stdout' ? 'stdout' : logPath, 'dim'),
    '',
    ...next,
    '',
  ];
  const banner = lines.join('\n');
  if (logTo === 'file') output.line(banner);
  else output.aside(`${banner}\n`);
}

export const serveCommands: readonly Command[] = [
  command({
    name: 'serve',
    summary: { en: 'Start the gateway', zh: '启动网关' },
    details: {
      en: 'Stops on Ctrl-C or SIGTERM: new requests are refused, running streams finish, all charges are settled. Exit code 5 if another process uses the data folder.',
      zh: '按 Ctrl-C 或收到 SIGTERM 时停止：不再接受新请求，等待流结束并完成结算。数据目录被其他进程占用时退出码为 5。',
    },
    flags,
    local: true,
    run: serve,
  }),
];

const texts = {
  warning: { en: '{warning}', zh: '{warning}' },
  address: { en: 'Console   ', zh: '控制台  ' },
  api: { en: 'API       ', zh: '接口    ' },
  data: { en: 'Data      ', zh: '数据    ' },
  log: { en: 'Log       ', zh: '日志    ' },
  code: { en: 'Setup code', zh: '初始化码' },
  nextSetup: {
    en: 'Next: open {url}, or run `turnpike setup` in another terminal.',
    zh: '下一步：打开 {url} ，或在另一终端运行 `turnpike setup`。',
  },
  nextUse: {
    en: 'Live screens: `turnpike tui`. Stop with Ctrl-C.',
    zh: '实时界面：`turnpike tui`。按 Ctrl-C 停止。',
  },
  separate: {
    en: 'Another gateway ({host}, {address}) serves this database and shares no Redis with this one: limits count for each alone, and changes arrive up to five seconds late. Set REDIS_CONN_STRING for both.',
    zh: '另一个网关（{host}，{address}）正在使用同一数据库，但未与本网关共享 Redis：限流各自计算，变更最多延迟五秒生效。请为两者设置 REDIS_CONN_STRING。',
  },
  draining: { en: 'Stopping: waiting for running requests', zh: '正在停止：等待进行中的请求完成' },
  noBrowser: { en: 'Could not open a browser', zh: '无法打开浏览器' },
} as const;

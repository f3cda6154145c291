/** `turnpike serve`, the default command (docs/rules/process.md#start). */
import type { Config } from '../../core/config/schema.ts';
import type { Demo } from '../../demo/demo.ts';
import type { Gateway, StartOptions } from '../../server/start.ts';
import type { WorkerRole } from '../../server/workers.ts';
import type { ExitCode } from '../base/exit-codes.ts';
import { version } from '../base/version.ts';
import { type Command, type Context, command, type Outcome } from '../command/command.ts';
import type { AccessFile } from '../connection/access-file.ts';
import type { ProcessLog } from '../connection/process-log.ts';
import { demoAccess, demoEnvironment, demoLines, makeDemo } from './serve-demo.ts';
import { serveFlags } from './serve-flags.ts';
import { notifySystemd, openBrowser } from './serve-surroundings.ts';

/**
 * Passes only flags from the command line: the configuration reads the environment, including the
 * names of One API / New API.
 */
async function loadServeConfig(context: Context, demo: Demo | undefined) {
  const { loadConfig } = await import('../../core/config/load.ts');
  const typed = Object.fromEntries(
    serveFlags.map((flag) => [flag.name, context.values.typed(flag.name)]),
  );
  const { 'no-open': _, demo: __, ...rest } = typed;
  return loadConfig({
    flags: {
      ...rest,
      ...(context.values.on('no-open') ? { open: false } : {}),
      ...(demo === undefined ? {} : { 'data-dir': demo.dataDir }),
    },
    environment: demo === undefined ? context.environment : demoEnvironment(context.environment),
    cwd: demo?.dataDir ?? process.cwd(),
  });
}

async function serve(context: Context): Promise<Outcome> {
  const { restartWithLimits, tuneHeap } = await import('../../server/heap.ts');
  if (context.ownsProcess) restartWithLimits();
  tuneHeap();
  if (!context.values.on('demo')) return serveSite(context, undefined);
  const demo = await makeDemo(context, context.stop());
  try {
    return demo === undefined ? {} : await serveSite(context, demo);
  } finally {
    await demo?.close();
  }
}

async function serveSite(context: Context, demo: Demo | undefined): Promise<Outcome> {
  const { output, environment } = context;
  const { config, warnings } = await loadServeConfig(context, demo);
  const { openProcessLog } = await import('../connection/process-log.ts');
  const role = config.workers > 1 ? await (await workers()).findWorkerRole() : undefined;
  const stop = context.stop();
  const sinks = {
    stdout: { write: (text: string) => output.line(text.trimEnd()) },
    stderr: { write: (text: string) => output.aside(text) },
  };
  const log = openProcessLog(config, sinks, role?.place.number);
  const { openAccessFile } = await import('../connection/access-file.ts');
  // The first of several processes serves nothing itself.
  const access =
    config.workers > 1 && role === undefined
      ? undefined
      : openAccessFile(config, sinks.stdout, role?.place.number);
  const hasStdout = config.logTo !== 'file' || config.accessLog === 'stdout';
  // A reader of the log that goes away does not end the gateway.
  if (context.ownsProcess && hasStdout)
    process.stdout.removeAllListeners('error').on('error', () => undefined);
  if (role !== undefined) return serveAsWorker(config, role, { log, access }, stop);
  for (const warning of warnings) {
    log.logger.warn({}, warning);
    output.note(texts.warning, { warning }, 'warn');
  }
  // Nobody waits for the end of requests of a demo's made-up users.
  const gateway = await start(config, {
    logger: log.logger,
    version,
    accessLog: access?.write,
    drainMs: demo === undefined ? undefined : 500,
  });
  if (typeof gateway === 'number') {
    await log.close();
    return { exitCode: gateway };
  }
  await demo?.begin(gateway.url);
  if (output.json)
    output.printJson({
      url: gateway.url,
      data_dir: gateway.dataDir,
      setup_code: gateway.setupCode ?? null,
      ...(demo === undefined ? {} : { demo: demoAccess(demo) }),
    });
  else printBanner(context, gateway, { config, path: log.path, hasStdout }, demo);
  const isWatched = context.terminal.interactive && !environment.CI;
  for (const { host, address } of gateway.separate)
    output.note(texts.separate, { host, address }, 'warn');
  if (config.open && isWatched && (demo !== undefined || gateway.setupCode !== undefined))
    await openBrowser(demo === undefined ? `${gateway.url}/setup` : gateway.url, context);
  notifySystemd(environment, '--ready');
  const stopped = new Promise<void>((resolve) =>
    stop.addEventListener('abort', () => resolve(), { once: true }),
  );
  if (!stop.aborted) await Promise.race([stopped, gateway.stopped, gateway.died]);
  notifySystemd(environment, '--stopping');
  output.note(texts.draining);
  if (stop.aborted) await Promise.race([gateway.leave(), gateway.died]);
  await gateway.close();
  await access?.close();
  await log.close();
  return {};
}

const workers = () => import('../../server/workers.ts');

/**
 * One process, or a group whose workers SIGHUP renews. An exit code: the first worker has ended with
 * it, and has said why.
 */
async function start(config: Config, options: StartOptions): Promise<Gateway | ExitCode> {
  if (config.workers === 1) {
    const { startGateway } = await import('../../server/start.ts');
    return startGateway(config, options);
  }
  const { startWorkers, WorkerFailed } = await workers();
  // Before the start, during which it would end this process; the renewal waits until all listen.
  process.on('SIGHUP', () => void starting.then((group) => group.renew()).catch(() => undefined));
  const starting = startWorkers(config, options.logger);
  try {
    return await starting;
  } catch (error) {
    if (error instanceof WorkerFailed) return error.exitCode as ExitCode;
    throw error;
  }
}

/** The process that started it shows the banner, and says when it ends. */
async function serveAsWorker(
  config: Config,
  role: WorkerRole,
  { log, access }: { readonly log: ProcessLog; readonly access: AccessFile | undefined },
  stop: AbortSignal,
): Promise<Outcome> {
  process.on('SIGHUP', () => undefined); // from a terminal it reaches the whole group
  const { startGateway } = await import('../../server/start.ts');
  const { place } = role;
  const gateway = await startGateway(config, {
    logger: log.logger,
    version,
    place,
    accessLog: access?.write,
  });
  role.ready(gateway);
  const signalled = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  const stopped = Promise.race([role.stopped, signalled]).then(() => gateway.leave());
  const retired = role.retired.then(() => gateway.retire());
  const left = gateway.stopped.then(() => role.leaving());
  await Promise.race([retired, stopped, left, gateway.died]);
  await gateway.close();
  await access?.close();
  await log.close();
  role.leave();
  return {};
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
  log: { readonly config: Config; readonly path: string; readonly hasStdout: boolean },
  demo: Demo | undefined,
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
    row(texts.log, log.config.logTo === 'stdout' ? 'stdout' : log.path, 'dim'),
    ...(demo === undefined ? ['', ...next] : demoLines(output, url, demo)),
    '',
  ];
  const banner = lines.join('\n');
  if (log.hasStdout) output.aside(`${banner}\n`);
  else output.line(banner);
}

export const serveCommands: readonly Command[] = [
  command({
    name: 'serve',
    summary: { en: 'Start the gateway', zh: '启动网关' },
    details: {
      en: 'Stops on Ctrl-C or SIGTERM: new requests are refused, running streams finish, all charges are settled. Exit code 5 if another process uses the data folder.',
      zh: '按 Ctrl-C 或收到 SIGTERM 时停止：不再接受新请求，等待流结束并完成结算。数据目录被其他进程占用时退出码为 5。',
    },
    flags: serveFlags,
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
} as const;

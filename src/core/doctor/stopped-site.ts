/**
 * A site whose gateway is stopped, before anything is opened: opening a folder creates what is
 * missing, migrates the database and finishes what was interrupted, and an examination changes
 * nothing (docs/rules/command-line.md#doctor).
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname } from 'node:path';
import { findSecrets } from '../config/data-folder.ts';
import { AppError } from '../kernel/errors.ts';
import type { Text } from '../kernel/text.ts';
import { pendingMigrations } from '../maintenance/migrate-site.ts';
import { databaseUrlOf, isPostgres } from '../maintenance/site-database.ts';
import { masterKeyFits } from '../storage/open.ts';
import {
  type Check,
  type Examined,
  type FolderDeps,
  nameList,
  problem,
  runChecks,
  warning,
} from './check.ts';
import { wrongKey } from './database-checks.ts';
import { folderChecks } from './folder-checks.ts';
import { redisVersion } from './module.ts';
import { examineRedis } from './process-checks.ts';

export interface StoppedDeps extends FolderDeps {
  /** What is wrong with variables and `.env`. */
  readonly warnings: readonly string[];
  /** The message of an error. */
  readonly describe: (error: unknown) => Text;
}

export interface StoppedReport {
  readonly report: readonly Examined[];
  /**
   * Whether the site can be opened without changing anything; else the other checks have to wait.
   */
  readonly canOpen: boolean;
}

export async function examineStopped(deps: StoppedDeps): Promise<StoppedReport> {
  const first = await runChecks([settingsCheck, portCheck], deps);
  for (const check of openingChecks) {
    const found = await runChecks([check], deps);
    if (found.every(({ level }) => level === 'ok')) continue;
    const folder = existsSync(deps.config.dataDir) ? await runChecks(folderChecks, deps) : [];
    return { report: [...first, ...found, ...folder], canOpen: false };
  }
  return { report: first, canOpen: true };
}

const settingsCheck: Check<StoppedDeps> = {
  id: 'settings',
  title: { en: 'Process settings', zh: '进程设置' },
  run: async ({ warnings }) =>
    warnings.map((text) =>
      warning(
        { en: text, zh: text },
        {
          en: 'The gateway starts with another value than was meant',
          zh: '网关会以与预期不同的值启动',
        },
        {
          en: 'Correct the variable; docs/settings.md lists the values',
          zh: '请更正该变量；取值见 docs/settings.md',
        },
      ),
    ),
};

const portCheck: Check<StoppedDeps> = {
  id: 'port',
  title: { en: 'Port', zh: '端口' },
  async run({ config: { host, port }, describe }) {
    const error = port === 0 ? undefined : await tryToListen(host, port);
    if (error === undefined) return [];
    // Only a warning: a flag of the start may name another port.
    return [
      warning(
        describe(error),
        { en: 'With this address the gateway does not start', zh: '使用该地址时网关无法启动' },
        {
          en: `See who uses it with ss -ltnp 'sport = :${port}', or start with another --host or --port`,
          zh: `用 ss -ltnp 'sport = :${port}' 查看占用者，或以其他 --host、--port 启动`,
        },
      ),
    ];
  },
};

function tryToListen(host: string, port: number): Promise<unknown> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}

/** In this order: each needs that those before it found nothing. */
const openingChecks: readonly Check<StoppedDeps>[] = [
  {
    id: 'data-folder',
    title: { en: 'Data folder', zh: '数据目录' },
    async run({ config }) {
      if (statSync(config.dataDir, { throwIfNoEntry: false })?.isDirectory()) return [];
      return [
        problem(
          { en: `There is no folder ${config.dataDir}`, zh: `目录 ${config.dataDir} 不存在` },
          {
            en: 'There is no site to examine; a start would make a new one there',
            zh: '没有可检查的站点；启动网关会在该处新建站点',
          },
          {
            en: 'Name the data folder with --data-dir or TURNPIKE_DATA_DIR',
            zh: '请用 --data-dir 或 TURNPIKE_DATA_DIR 指定数据目录',
          },
        ),
      ];
    },
  },
  {
    id: 'interrupted',
    title: { en: 'Interrupted work', zh: '中断的操作' },
    async run({ config }) {
      const left = [config.dataDir, dirname(config.sqlitePath)].flatMap((folder) =>
        existsSync(folder)
          ? readdirSync(folder).filter((name) => isLeft(name, basename(config.sqlitePath)))
          : [],
      );
      if (left.length === 0) return [];
      const names = nameList([...new Set(left)]);
      return [
        warning(
          {
            en: `A restore or a change of the key was interrupted: ${names}`,
            zh: `恢复或更换密钥的操作曾被中断：${names}`,
          },
          {
            en: 'The next start finishes it or takes it back. The other checks need it done',
            zh: '下次启动会完成或撤销它。其他检查需在此之后进行',
          },
          {
            en: 'Start the gateway, or run: turnpike migrate',
            zh: '请启动网关，或执行：turnpike migrate',
          },
        ),
      ];
    },
  },
  {
    id: 'database',
    title: { en: 'Database', zh: '数据库' },
    async run({ config, describe }) {
      try {
        await pendingMigrations(config);
        return [];
      } catch (error) {
        return [
          problem(
            describe(error),
            { en: 'Without the database there is no site', zh: '没有数据库就没有站点' },
            databaseMend(config, error),
          ),
        ];
      }
    },
  },
  {
    id: 'migrations',
    title: { en: 'Schema of the database', zh: '数据库结构' },
    async run({ config, describe }) {
      const { pending, unknown } = await pendingMigrations(config);
      if (unknown[0] !== undefined)
        return [
          problem(
            describe(new AppError('database_newer', { step: unknown[0] })),
            { en: 'This version does not open it', zh: '当前版本无法打开' },
            {
              en: 'Install the newer version, or go back to a snapshot from before its migrations (snapshots/)',
              zh: '请安装更新的版本，或恢复迁移前的快照（snapshots/）',
            },
          ),
        ];
      if (pending.length === 0) return [];
      return [
        warning(
          {
            en: `${pending.length} migrations are pending: ${nameList(pending)}`,
            zh: `有 ${pending.length} 项迁移待执行：${nameList(pending)}`,
          },
          {
            en: 'The next start executes them; the earlier version then no longer opens the database. The other checks need them done',
            zh: '下次启动时会执行，之后旧版本将无法打开数据库。其他检查需在此之后进行',
          },
          { en: 'Back up, then run: turnpike migrate', zh: '请先备份，然后执行：turnpike migrate' },
        ),
      ];
    },
  },
  {
    id: 'key-file',
    title: { en: 'Key file', zh: '密钥文件' },
    async run({ config, describe }) {
      const cause = await findKeyProblem(config).catch((error: unknown) => describe(error));
      return cause === undefined ? [] : [wrongKey(cause)];
    },
  },
  {
    id: 'redis',
    title: { en: 'Redis', zh: 'Redis' },
    run: async ({ config }) =>
      config.redisUrl === '' ? [] : examineRedis(config.redisUrl, redisVersion),
  },
];

/** A database that is there but cannot be used is not to be replaced by a new one. */
function databaseMend(config: StoppedDeps['config'], error: unknown): Text {
  if (isPostgres(config))
    return {
      en: 'Check that PostgreSQL runs and TURNPIKE_DATABASE_URL is right: psql URL',
      zh: '请确认 PostgreSQL 正在运行且 TURNPIKE_DATABASE_URL 正确：psql URL',
    };
  const cause = error instanceof AppError ? error.params['problem'] : undefined;
  if (cause === undefined)
    return {
      en: 'A new site: start the gateway or run turnpike setup. A lost database: turnpike restore FILE',
      zh: '新站点：启动网关或执行 turnpike setup。数据库丢失：turnpike restore FILE',
    };
  if (cause === 'rule.file.damaged')
    return {
      en: 'Replace it by the newest backup, its files are kept: turnpike restore FILE --force',
      zh: '请用最新的备份替换，原文件会保留：turnpike restore FILE --force',
    };
  return {
    en: 'Correct that, and run turnpike doctor again: the data itself is there',
    zh: '请排除该问题后再次执行 turnpike doctor：数据本身还在',
  };
}

/** Left by a restore or rotation that was killed. */
function isLeft(name: string, database: string): boolean {
  return [
    'replace.json',
    'secret.json.next',
    'secret.json.restoring',
    `${database}.restoring`,
  ].includes(name);
}

async function findKeyProblem(config: FolderDeps['config']): Promise<Text | undefined> {
  const secrets = findSecrets(config);
  if (secrets === undefined) return { en: 'secret.json is missing', zh: '缺少 secret.json' };
  const masterKey = Buffer.from(secrets.cryptoSecret.reveal());
  if (await masterKeyFits({ url: databaseUrlOf(config), masterKey })) return undefined;
  return config.cryptoSecret === ''
    ? { en: 'secret.json is that of another site', zh: 'secret.json 属于其他站点' }
    : { en: 'CRYPTO_SECRET is another one', zh: 'CRYPTO_SECRET 不是原来的值' };
}

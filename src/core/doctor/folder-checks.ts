/** The data folder and its files, and the disk. */
import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { nowSeconds } from '../kernel/clock.ts';
import { backupChecks } from './backup-checks.ts';
import { type Check, type Finding, type FolderDeps, problem, warning } from './check.ts';
import { forecastDisk, freeSpace, readDiskNotes } from './disk-notes.ts';

/** Free bytes below which the disk is a problem, and a warning. */
const tightDisk = 256 * 2 ** 20;
const lowDisk = 2 * 2 ** 30;

const statsOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/**
 * Files that only the gateway's user may read: keys, password hashes, or the right to act as root.
 */
function privateFiles({ dataDir, sqlitePath }: FolderDeps['config']): readonly string[] {
  const snapshots = join(dataDir, 'snapshots');
  const copies =
    statsOf(snapshots) === undefined
      ? []
      : readdirSync(snapshots).map((name) => join(snapshots, name));
  const own = ['secret.json', 'gateway.json'].map((name) => join(dataDir, name));
  return [...own, ...['', '-wal'].map((end) => sqlitePath + end), ...copies];
}

const isLow = (free: number, config: FolderDeps['config']): boolean =>
  free <= lowDisk || free <= databaseSize(config);

/** Free megabytes of the data folder's disk where they are few; else, or if unknown, undefined. */
export async function lowDiskSpace(config: FolderDeps['config']): Promise<number | undefined> {
  const free = await freeSpace(config.dataDir).catch(() => Number.POSITIVE_INFINITY);
  return isLow(free, config) ? Math.floor(free / 2 ** 20) : undefined;
}

/** A disk that is full within this many days is a warning. */
const soon = 60;

function fullSoon(dataDir: string, now: number, free: number): readonly Finding[] {
  const forecast = forecastDisk(readDiskNotes(dataDir), now, free);
  if (forecast === undefined || forecast.days > soon) return [];
  const { days } = forecast;
  const megabytes = Math.ceil(forecast.bytesPerDay / 2 ** 20);
  return [
    warning(
      {
        en: `The disk of ${dataDir} is full in ${days} days at this pace (${megabytes} MB a day)`,
        zh: `按目前速度（每天 ${megabytes} MB），${dataDir} 所在磁盘将在 ${days} 天后写满`,
      },
      {
        en: 'A full disk stops billing and with it all requests',
        zh: '磁盘写满会使计费停止，所有请求随之失败',
      },
      {
        en: 'Keep usage logs for fewer days (turnpike options set UsageLogDays 180), or add space',
        zh: '请缩短使用日志的保留天数（turnpike options set UsageLogDays 180），或扩容磁盘',
      },
    ),
  ];
}

/** In single quotes where a shell would take it apart. */
const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

const databaseSize = ({ sqlitePath, databaseUrl }: FolderDeps['config']): number =>
  databaseUrl === ''
    ? ['', '-wal'].reduce((sum, end) => sum + (statsOf(sqlitePath + end)?.size ?? 0), 0)
    : 0;

export const folderChecks: readonly Check<FolderDeps>[] = [
  {
    id: 'permissions',
    title: { en: 'Permissions of the data folder', zh: '数据目录权限' },
    async run({ config }) {
      if (process.platform === 'win32') return [];
      const isOpen = (path: string) => ((statsOf(path)?.mode ?? 0) & 0o077) !== 0;
      const found = isOpen(config.dataDir)
        ? [
            warning(
              {
                en: `${config.dataDir} can be opened by other users of this machine`,
                zh: `本机其他用户可以进入 ${config.dataDir}`,
              },
              {
                en: 'They see which files there are, and may read logs and uploads',
                zh: '他们能看到其中有哪些文件，并可能读取日志和上传的文件',
              },
              {
                en: `Run: chmod 700 ${quoted(config.dataDir)}`,
                zh: `请执行：chmod 700 ${quoted(config.dataDir)}`,
              },
            ),
          ]
        : [];
      const open = privateFiles(config).filter(isOpen);
      return [
        ...found,
        ...open.map((path) =>
          problem(
            {
              en: `${path} can be read by other users of this machine`,
              zh: `本机其他用户可以读取 ${path}`,
            },
            {
              en: 'It holds keys, password hashes or the right to act as the super admin',
              zh: '其中有密钥、密码哈希或以超级管理员身份操作的凭据',
            },
            { en: `Run: chmod 600 ${quoted(path)}`, zh: `请执行：chmod 600 ${quoted(path)}` },
          ),
        ),
      ];
    },
  },
  {
    id: 'ownership',
    title: { en: 'Owner of the files', zh: '文件所有者' },
    async run({ config }) {
      const owner = statsOf(config.dataDir);
      if (process.platform === 'win32' || owner === undefined) return [];
      const lost = ['lock.db', 'logs'].map((name) => join(config.dataDir, name));
      const others = [...privateFiles(config), ...lost].filter((path) => {
        const stats = statsOf(path);
        return stats !== undefined && stats.uid !== owner.uid;
      });
      if (others.length === 0) return [];
      return [
        problem(
          {
            en: `These files do not belong to the owner of the data folder (user id ${owner.uid}): ${others.join(', ')}`,
            zh: `以下文件不属于数据目录的所有者（用户 ID ${owner.uid}）：${others.join('、')}`,
          },
          {
            en: 'A command was probably run as another user, such as root: the gateway cannot open or write them',
            zh: '可能曾以其他用户（如 root）执行命令：网关将无法打开或写入这些文件',
          },
          {
            en: `Run: chown -R ${owner.uid}:${owner.gid} ${quoted(config.dataDir)}, and run commands as the gateway's user`,
            zh: `请执行：chown -R ${owner.uid}:${owner.gid} ${quoted(config.dataDir)}，并以网关的用户执行命令`,
          },
        ),
      ];
    },
  },
  {
    id: 'disk',
    title: { en: 'Free disk space', zh: '磁盘剩余空间' },
    async run({ config, clock }) {
      const free = await freeSpace(config.dataDir);
      if (!isLow(free, config)) return fullSoon(config.dataDir, nowSeconds(clock), free);
      const megabytes = Math.floor(free / 2 ** 20);
      const find = free < tightDisk ? problem : warning;
      return [
        find(
          {
            en: `${megabytes} MB are free on the disk of ${config.dataDir}`,
            zh: `${config.dataDir} 所在磁盘仅剩 ${megabytes} MB`,
          },
          {
            en: 'A full disk stops billing and with it all requests; backups and snapshots need room for a copy of the database',
            zh: '磁盘写满会使计费停止，所有请求随之失败；备份与快照需要容纳一份数据库副本',
          },
          {
            en: 'Free or add space, or run: turnpike logs prune --before DATE',
            zh: '请清理或扩容磁盘，或执行：turnpike logs prune --before DATE',
          },
        ),
      ];
    },
  },
  ...backupChecks,
];

/** Backups: how old the newest is, and whether it could be restored. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { overdueAfter, readBackupSchedule } from '../config/backup-schedule.ts';
import { nowSeconds } from '../kernel/clock.ts';
import { readLastBackup } from '../maintenance/last-backup.ts';
import { checkInterval } from '../maintenance/module.ts';
import { readStoredBackups, type StoredBackups } from '../maintenance/stored-backups.ts';
import { type Check, type Finding, type FolderDeps, problem, warning, wordsOf } from './check.ts';

const day = 86_400;
/** Days beyond its interval after which a check is missing. */
const checkGrace = 5;

const isScheduled = ({ backupTo, backupSchedule }: FolderDeps['config']): boolean =>
  backupTo !== '' && readBackupSchedule(backupSchedule) !== undefined;

/** The key file is as old as the data folder: a site of yesterday needs no backup of last week. */
function foundedAt(dataDir: string): number {
  const born = statSync(join(dataDir, 'secret.json'), { throwIfNoEntry: false })?.birthtimeMs;
  return Math.floor((born ?? Date.now()) / 1000);
}

/** Backups that somebody makes with `turnpike backup`. */
function manualBackup({ config, clock }: FolderDeps): readonly Finding[] {
  if (config.backupAgeDays === 0) return [];
  const last = readLastBackup(config.dataDir);
  const since = last?.created_at ?? foundedAt(config.dataDir);
  const days = Math.floor((nowSeconds(clock) - since) / day);
  if (days < config.backupAgeDays) return [];
  const message =
    last === undefined
      ? { en: 'No backup was made from this data folder', zh: '从未用此数据目录做过备份' }
      : {
          en: `The newest backup is ${days} days old (${last.file})`,
          zh: `最近的备份是 ${days} 天前的（${last.file}）`,
        };
  return [
    warning(
      message,
      {
        en: 'Snapshots in the data folder are lost together with its disk',
        zh: '数据目录中的快照会与磁盘一同丢失',
      },
      {
        en: 'Set BACKUP_TO to a folder of another disk or to a bucket, or run daily: turnpike backup FILE. If you back up by other means, set BACKUP_AGE_DAYS=0',
        zh: '请将 BACKUP_TO 设为另一块磁盘上的目录或存储桶，或每天执行：turnpike backup FILE。若用其他方式备份，请设置 BACKUP_AGE_DAYS=0',
      },
    ),
  ];
}

const lost = {
  en: 'What is not backed up is lost together with the disk',
  zh: '未备份的数据会与磁盘一同丢失',
};
const seeLog = {
  en: 'Run turnpike backups run to see why; the gateway tries again every five minutes',
  zh: '执行 turnpike backups run 查看原因；网关每五分钟重试一次',
};

async function scheduledBackup({ config, clock }: FolderDeps): Promise<readonly Finding[]> {
  const schedule = readBackupSchedule(config.backupSchedule);
  if (schedule === undefined) return [];
  const found = await readStoredBackups(config).catch((error: unknown) => wordsOf(error));
  if (!('backups' in found)) return [problem(found, lost, seeLog)];
  const newest = found.backups[0]?.createdAt;
  const late = nowSeconds(clock) - (newest ?? foundedAt(config.dataDir));
  if (late < overdueAfter(schedule)) return [];
  const hours = Math.floor(late / 3600);
  return [
    warning(
      newest === undefined
        ? {
            en: `There is no backup of this site in ${found.place}`,
            zh: `${found.place} 中没有本站点的备份`,
          }
        : {
            en: `The newest backup in ${found.place} is ${hours} hours old`,
            zh: `${found.place} 中最近的备份是 ${hours} 小时前的`,
          },
      lost,
      seeLog,
    ),
  ];
}

function examineCheck({ backups, check }: StoredBackups, now: number): readonly Finding[] {
  if (check !== undefined && check.drifts > 0)
    return [
      problem(
        {
          en: `The ledger of ${check.name} has ${check.drifts} differences`,
          zh: `${check.name} 的账本有 ${check.drifts} 处偏差`,
        },
        {
          en: 'Balances of a restored site would not match their postings',
          zh: '恢复后的站点余额会与账本不符',
        },
        {
          en: 'Run: turnpike ledger verify; once it is mended: turnpike backups run && turnpike backups check',
          zh: '请执行：turnpike ledger verify；修正后执行：turnpike backups run && turnpike backups check',
        },
      ),
    ];
  // Not before the first backup of the site had the time to be checked.
  const since = check?.checked_at ?? backups.at(-1)?.createdAt ?? now;
  const allowed = (check === undefined ? 0 : checkInterval) + checkGrace * day;
  if (now - since < allowed) return [];
  return [
    warning(
      check === undefined
        ? { en: 'No backup was ever restored to check it', zh: '从未对备份做过恢复检查' }
        : {
            en: `A backup was last restored to check it ${Math.floor((now - since) / day)} days ago`,
            zh: `最近一次恢复检查是 ${Math.floor((now - since) / day)} 天前`,
          },
      {
        en: 'Whether the site can be restored is known only after it was done',
        zh: '只有实际恢复过，才能确定备份可用',
      },
      {
        en: 'Run turnpike backups check to see why; the gateway tries again every hour',
        zh: '执行 turnpike backups check 查看原因；网关每小时重试一次',
      },
    ),
  ];
}

export const backupChecks: readonly Check<FolderDeps>[] = [
  {
    id: 'backup',
    title: { en: 'Newest backup', zh: '最近的备份' },
    run: async (deps) => (isScheduled(deps.config) ? scheduledBackup(deps) : manualBackup(deps)),
  },
  {
    id: 'backup-check',
    title: { en: 'Restore of a backup', zh: '备份的恢复检查' },
    async run({ config, clock }) {
      if (!isScheduled(config)) return [];
      // The check before says where the place cannot be read.
      const found = await readStoredBackups(config).catch(() => undefined);
      return found === undefined ? [] : examineCheck(found, nowSeconds(clock));
    },
  },
];

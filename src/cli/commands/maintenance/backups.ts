/** `turnpike backups`: those that the gateway makes (docs/rules/maintenance.md#scheduled-backups). */
import { nowSeconds } from '../../../core/kernel/clock.ts';
import { version } from '../../base/version.ts';
import {
  type Command,
  type Context,
  command,
  failedWith,
  type Outcome,
} from '../../command/command.ts';
import { databaseFlags, maintenanceConfig, megabytes, warnOfDrifts } from './shared.ts';

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

async function workOf(context: Context) {
  const config = await maintenanceConfig(context);
  const now = nowSeconds(context.clock);
  return { config, version, now, signal: context.stop() };
}

export const storedBackupCommands: readonly Command[] = [
  command({
    name: 'backups list',
    summary: { en: 'List the backups of the gateway', zh: '列出网关的自动备份' },
    details: {
      en: 'Reads the place that BACKUP_TO names, the newest first, and says when one was last restored to check it. Only backups of this site are shown.',
      zh: '读取 BACKUP_TO 指定的位置，从新到旧列出，并显示最近一次恢复检查的时间。只列出本站点的备份。',
    },
    flags: databaseFlags,
    local: true,
    async run(context): Promise<Outcome> {
      const { config } = await workOf(context);
      const { readStoredBackups } = await import('../../../core/maintenance/stored-backups.ts');
      const { place, backups, check } = await readStoredBackups(config);
      const items = backups.map(({ name, bytes, createdAt }) => ({
        name,
        bytes,
        created_at: createdAt,
      }));
      return {
        json: { place, items, total: items.length, check: check ?? null },
        print: (output) => {
          for (const { name, bytes, created_at } of items)
            output.line(`${name}  ${timeOf(created_at)}  ${megabytes(bytes)}`);
          if (items.length === 0) output.note(texts.none, { place });
          if (check === undefined) return output.note(texts.unchecked, {}, 'warn');
          const { drifts, name } = check;
          const at = timeOf(check.checked_at);
          output.note(texts.checked, { name, at }, drifts === 0 ? 'ok' : 'warn');
          if (drifts > 0) output.note(texts.drifts, { count: drifts }, 'warn');
        },
      };
    },
  }),
  command({
    name: 'backups run',
    summary: { en: 'Back up now to the place of the gateway', zh: '立即备份到网关的备份位置' },
    details: {
      en: 'Does what the gateway does by its schedule, also where the schedule is off: writes to BACKUP_TO, encrypted if BACKUP_PASSPHRASE is set, and deletes backups beyond BACKUP_KEEP. Exit code 1 if balances do not match their postings.',
      zh: '执行网关按计划所做的备份（计划关闭时也可执行）：写入 BACKUP_TO，设置了 BACKUP_PASSPHRASE 时加密，并删除超出 BACKUP_KEEP 的旧备份。若余额与账本不符，退出码为 1。',
    },
    flags: databaseFlags,
    local: true,
    async run(context): Promise<Outcome> {
      const work = await workOf(context);
      const { requireDataOfGateway } = await import('../../../core/config/gateway-file.ts');
      requireDataOfGateway(work.config, work.config.backupFiles);
      const { makeStoredBackup } = await import('../../../core/maintenance/stored-backups.ts');
      const { place, name, bytes, createdAt, drifts, removed } = await makeStoredBackup(work);
      const encrypted = work.config.backupPassphrase !== '';
      const outcome: Outcome = {
        json: { place, name, bytes, created_at: createdAt, encrypted, drifts, removed },
        print: (output) => {
          output.note(texts.made, { name, place, size: megabytes(bytes) }, 'ok');
          output.note(encrypted ? texts.encrypted : texts.plain);
          for (const old of removed) output.note(texts.removed, { name: old });
          if (drifts > 0) warnOfDrifts(output, texts.drifts, drifts);
        },
      };
      return drifts > 0 ? failedWith(outcome) : outcome;
    },
  }),
  command({
    name: 'backups check',
    summary: { en: 'Restore a backup to check it', zh: '试恢复一个备份以作检查' },
    details: {
      en: 'Restores the newest backup, or the one that is named, into a scratch folder of the data folder, verifies its ledger, and deletes the folder. The site is not touched. The gateway does the same every 30 days. Exit code 1 if balances do not match their postings.',
      zh: '将最新的或指定的备份恢复到数据目录中的临时目录，核对账本后删除，不影响站点。网关每 30 天自动执行一次。若余额与账本不符，退出码为 1。',
    },
    arguments: [
      {
        name: 'name',
        kind: 'text',
        optional: true,
        summary: { en: 'A name of `backups list`', zh: '`backups list` 中的名称' },
      },
    ],
    flags: databaseFlags,
    local: true,
    async run(context): Promise<Outcome> {
      const work = await workOf(context);
      const { checkStoredBackup } = await import('../../../core/maintenance/stored-backups.ts');
      const check = await checkStoredBackup(work, context.arguments['name']);
      const { name, rows, drifts } = check;
      const outcome: Outcome = {
        json: check,
        print: (output) => {
          output.note(texts.restored, { name, rows }, drifts === 0 ? 'ok' : 'warn');
          if (drifts > 0) warnOfDrifts(output, texts.drifts, drifts);
        },
      };
      return drifts > 0 ? failedWith(outcome) : outcome;
    },
  }),
];

const texts = {
  none: { en: 'There are no backups in {place}', zh: '{place} 中没有备份' },
  unchecked: {
    en: 'None was restored to check it yet: turnpike backups check',
    zh: '尚未做过恢复检查：turnpike backups check',
  },
  checked: { en: '{name} was restored and verified at {at}', zh: '{name} 已于 {at} 恢复并核对' },
  made: { en: 'Saved {name} ({size}) in {place}', zh: '已将 {name}（{size}）保存到 {place}' },
  encrypted: {
    en: 'It is encrypted and contains the key file: keep the passphrase in a safe place',
    zh: '已加密，并包含密钥文件：请妥善保存口令',
  },
  plain: {
    en: 'It is not encrypted and does not contain the key file (set BACKUP_PASSPHRASE for both): keep secret.json in a safe place',
    zh: '未加密，不含密钥文件（设置 BACKUP_PASSPHRASE 可加密并包含）：请妥善保存 secret.json',
  },
  removed: { en: 'Deleted: {name}', zh: '已删除：{name}' },
  restored: {
    en: '{name} can be restored: {rows} {rows:row|rows}',
    zh: '{name} 可以恢复：{rows} 行',
  },
  drifts: {
    en: 'The ledger in it has {count} {count:difference|differences}: see `turnpike ledger verify`',
    zh: '其中的账本有 {count} 处偏差：见 `turnpike ledger verify`',
  },
} as const;

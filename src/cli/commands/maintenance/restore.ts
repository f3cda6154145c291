/** `turnpike restore` (docs/rules/maintenance.md#restore). */
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../../core/config/schema.ts';
import { nowSeconds } from '../../../core/kernel/clock.ts';
import type { RestorePhase } from '../../../core/maintenance/restore-options.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { exitCodes } from '../../base/exit-codes.ts';
import type { Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { version } from '../../base/version.ts';
import { type Command, command, failedWith, type Outcome } from '../../command/command.ts';
import { givenSecret } from '../../command/secret-input.ts';
import {
  backupFacts,
  databaseFlags,
  maintenanceConfig,
  passphraseFlag,
  progressLine,
  warnOfDrifts,
} from './shared.ts';

export const restoreCommands: readonly Command[] = [
  command({
    name: 'restore',
    summary: { en: 'Restore a backup', zh: '恢复备份' },
    details: {
      en: 'Into an empty data folder, or with --force in place of the site that is there, of which a copy is kept. The gateway must be stopped. Nothing changes until the backup has been read and checked. Backups of earlier versions are migrated; those of newer versions are refused.',
      zh: '恢复到空的数据目录；加 --force 可替换已有站点，并保留其副本。须先停止网关。备份读取并校验完成之前不做任何更改。旧版本的备份会自动迁移，新版本的备份会被拒绝。',
    },
    arguments: [
      {
        name: 'file',
        kind: 'text',
        summary: {
          en: 'The backup, s3://…, or - for standard input',
          zh: '备份文件、s3://…，或 -（标准输入）',
        },
      },
    ],
    flags: [
      {
        name: 'force',
        kind: 'switch',
        summary: {
          en: 'Replace the site that is there, keeping a copy',
          zh: '替换已有站点，并保留其副本',
        },
      },
      passphraseFlag,
      ...databaseFlags,
    ],
    local: true,
    async run(context): Promise<Outcome> {
      const { values, output, terminal, clock } = context;
      const file = context.arguments['file'] ?? '-';
      const config = await maintenanceConfig(context);
      const readsSecret = values.on(passphraseFlag.name);
      if (file === '-' && readsSecret) throw new UsageError(texts.twice);
      if (file === '-' && process.stdin.isTTY) throw new UsageError(texts.keyboard);
      const force = values.on('force');
      if (force && !values.on('yes')) {
        if (!terminal.interactive) throw new UsageError(texts.yes);
        if (!(await terminal.confirm(texts.confirm, { folder: config.dataDir }))) {
          return { exitCode: exitCodes.failed, print: () => output.note(texts.unchanged) };
        }
      }
      const passphrase =
        (await givenSecret(context, 'backup-passphrase')) ?? config.backupPassphrase;
      const { restoreSite } = await import('../../../core/maintenance/restore.ts');
      const draw = progressLine(context);
      const report = await restoreSite({
        config,
        version,
        force,
        name: file,
        now: nowSeconds(clock),
        signal: context.stop(),
        source: await openBackup(file, config),
        passphrase,
        onProgress: (phase, done, total) => draw(phases[phase], done, total),
      }).finally(() => draw(undefined));
      const { header, kept, migrated, files, drifts } = report;
      const outcome: Outcome = {
        json: {
          file,
          data_dir: config.dataDir,
          migrated,
          files,
          kept,
          drifts,
          ...backupFacts(header),
        },
        print: () => {
          const rows = formatCount(
            Object.values(header.tables).reduce((sum, count) => sum + count, 0),
          );
          const made = new Date(header.created_at * 1000).toISOString();
          output.note(
            texts.restored,
            { file, made, version: header.version, rows, files: formatCount(files) },
            'ok',
          );
          if (migrated.length > 0) output.note(texts.migrated, { count: migrated.length });
          for (const path of kept) output.note(texts.kept, { path });
          if (drifts > 0) warnOfDrifts(output, texts.drifts, drifts);
        },
      };
      return drifts > 0 ? failedWith(outcome) : outcome;
    },
  }),
];

async function openBackup(file: string, config: Config): Promise<Readable> {
  if (file === '-') return process.stdin;
  const [, place, name] = /^(s3:\/\/.+)\/([^/]+)$/.exec(file) ?? [];
  if (place !== undefined && name !== undefined) {
    const { openBackupStore } = await import('../../../core/maintenance/backup-store.ts');
    return openBackupStore({ ...config, backupTo: place }).open(name);
  }
  const { openSource } = await import('../../../core/maintenance/extract-backup.ts');
  return openSource(resolve(file));
}

const phases: Readonly<Record<RestorePhase, Text>> = {
  read: { en: 'Reading the backup', zh: '读取备份' },
  migrate: { en: 'Migrating', zh: '执行迁移' },
  verify: { en: 'Verifying balances', zh: '核对余额' },
  write: { en: 'Writing', zh: '写入' },
};

const texts = {
  twice: {
    en: 'Standard input is the backup: give its passphrase in BACKUP_PASSPHRASE, or name a file',
    zh: '标准输入已用于备份：请用 BACKUP_PASSPHRASE 提供口令，或指定文件',
  },
  keyboard: {
    en: 'Standard input is a terminal: name a file, or redirect it',
    zh: '标准输入是终端：请指定文件，或重定向输入',
  },
  yes: {
    en: '--force needs confirmation: add --yes when not on a terminal',
    zh: '--force 需要确认：非交互运行时请加 --yes',
  },
  confirm: {
    en: 'Replace the site in {folder}? A copy of its database is kept',
    zh: '替换 {folder} 中的站点？会保留其数据库的副本',
  },
  unchanged: { en: 'Nothing was changed', zh: '未做任何更改' },
  restored: {
    en: 'Restored {file} of {made} (version {version}): {rows} {rows:row|rows}, {files} uploaded {files:file|files}',
    zh: '已恢复 {file}（{made}，版本 {version}）：{rows} 行，{files} 个上传文件',
  },
  migrated: {
    en: '{count} {count:migration was|migrations were} executed',
    zh: '已执行 {count} 项迁移',
  },
  kept: { en: 'Kept: {path}', zh: '已保留：{path}' },
  drifts: {
    en: 'The ledger has {count} {count:difference|differences}, as in the backup: see `turnpike ledger verify`',
    zh: '账本有 {count} 处偏差（备份中即如此）：见 `turnpike ledger verify`',
  },
} as const;

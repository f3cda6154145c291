/** `turnpike backup` (docs/rules/maintenance.md#backup). */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { nowSeconds } from '../../../core/kernel/clock.ts';
import type { Phase } from '../../../core/maintenance/backup.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import type { Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { version } from '../../base/version.ts';
import {
  type Command,
  type Context,
  command,
  failedWith,
  type Outcome,
} from '../../command/command.ts';
import { givenSecret } from '../../command/secret-input.ts';
import {
  backupFacts,
  databaseFlags,
  maintenanceConfig,
  megabytes,
  passphraseFlag,
  progressLine,
  warnOfDrifts,
} from './shared.ts';

export const backupCommands: readonly Command[] = [
  command({
    name: 'backup',
    summary: { en: 'Back up the site into one file', zh: '将站点备份为一个文件' },
    details: {
      en: 'Runs on the machine of the gateway, also while it serves. The file has the state at one moment, is checked after it was written, and has mode 0600. Exit code 1 if balances in it do not match their postings; the file is kept. Without --with-keys it does not contain secret.json: keep that file elsewhere, because the keys in the backup cannot be decrypted without it.',
      zh: '在网关所在的机器上执行，网关运行时也可以。文件保存某一时刻的状态，写入后会校验，权限为 0600。若余额与账本不符，退出码为 1，文件仍保留。不加 --with-keys 时不包含 secret.json：请另行妥善保存该文件，否则无法解密备份中的密钥。',
    },
    arguments: [
      {
        name: 'file',
        kind: 'text',
        summary: { en: 'File to write, - for standard output', zh: '写入的文件；- 为标准输出' },
      },
    ],
    flags: [
      {
        name: 'with-keys',
        kind: 'switch',
        summary: {
          en: 'Include secret.json: anyone who has the file can then read all keys',
          zh: '包含 secret.json：得到该文件的人可读取所有密钥',
        },
      },
      {
        name: 'with-files',
        kind: 'switch',
        summary: {
          en: 'Include uploaded images and stored results',
          zh: '包含上传的图片与保存的结果',
        },
      },
      {
        name: 'encrypt',
        kind: 'switch',
        summary: {
          en: 'Encrypt it with the passphrase of BACKUP_PASSPHRASE',
          zh: '用 BACKUP_PASSPHRASE 中的口令加密',
        },
      },
      passphraseFlag,
      ...databaseFlags,
    ],
    local: true,
    async run(context): Promise<Outcome> {
      const { values, output, clock } = context;
      const file = context.arguments['file'] ?? '-';
      if (file === '-' && process.stdout.isTTY) throw new UsageError(texts.screen);
      const config = await maintenanceConfig(context);
      const passphrase = await passphraseFor(context, config.backupPassphrase);
      const { backupSite } = await import('../../../core/maintenance/backup.ts');
      const draw = progressLine(context);
      const withKeys = values.on('with-keys');
      const withFiles = values.on('with-files');
      const { requireDataOfGateway } = await import('../../../core/config/gateway-file.ts');
      requireDataOfGateway(config, withFiles);
      const backUp = (target: string | Writable) =>
        backupSite({
          config,
          version,
          target,
          withKeys,
          passphrase,
          withFiles,
          now: nowSeconds(clock),
          signal: context.stop(),
          onProgress: (phase, done, total) => draw(phases[phase], done, total),
        }).finally(() => draw(undefined));
      const report = await (file === '-'
        ? toStandardOutput(output.localize(texts.output), backUp)
        : backUp(resolve(file)));
      const bytes = file === '-' ? null : statSync(file).size;
      const rows = Object.values(report.header.tables).reduce((sum, count) => sum + count, 0);
      const json = {
        file,
        bytes,
        entries: report.entries,
        drifts: report.drifts ?? null,
        ...backupFacts(report.header),
      };
      const outcome: Outcome = {
        ...(file === '-' ? {} : { json }),
        print: () => {
          const counts = { file, rows: formatCount(rows), entries: formatCount(report.entries) };
          output.note(
            texts.saved,
            { ...counts, size: bytes === null ? '' : ` (${megabytes(bytes)})` },
            'ok',
          );
          if (report.drifts === undefined) output.note(texts.unverified, {}, 'warn');
          else if (report.drifts > 0) warnOfDrifts(output, texts.drifts, report.drifts);
          if (withKeys && passphrase !== '') return output.note(texts.sealed);
          output.note(withKeys ? texts.keys : texts.noKeys, {
            path: `${config.dataDir}/secret.json`,
          });
        },
      };
      return (report.drifts ?? 0) > 0 ? failedWith(outcome) : outcome;
    },
  }),
];

/** '' unless it is to be encrypted. */
async function passphraseFor(context: Context, configured: string): Promise<string> {
  const { values } = context;
  if (!values.on('encrypt') && !values.on(passphraseFlag.name)) return '';
  const given = await givenSecret(context, 'backup-passphrase');
  const passphrase = given ?? configured;
  if (passphrase === '') throw new UsageError(texts.passphrase);
  return passphrase;
}

/**
 * A backup that the reader did not take to its end, or for which the disk is full, is a failure.
 * Other commands end silently then.
 */
async function toStandardOutput<T>(
  name: string,
  write: (target: Writable) => Promise<T>,
): Promise<T> {
  process.stdout.removeAllListeners('error').on('error', () => {}); // the write rejects, too
  try {
    return await write(process.stdout);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === 'write'
      ? Object.assign(error as Error, { path: name })
      : error;
  }
}

const phases: Readonly<Record<Phase, Text>> = {
  copy: { en: 'Copying the database', zh: '复制数据库' },
  verify: { en: 'Verifying the copy', zh: '校验副本' },
  write: { en: 'Writing', zh: '写入' },
  check: { en: 'Reading back', zh: '读回校验' },
};

const texts = {
  output: { en: 'standard output', zh: '标准输出' },
  screen: {
    en: 'Standard output is a terminal: name a file, or redirect it',
    zh: '标准输出是终端：请指定文件，或重定向输出',
  },
  saved: {
    en: 'Saved {file}{size}: {rows} {rows:row|rows}, {entries} {entries:file|files}',
    zh: '已保存 {file}{size}：{rows} 行，{entries} 个文件',
  },
  passphrase: {
    en: 'Set BACKUP_PASSPHRASE, or give the passphrase with --backup-passphrase-stdin',
    zh: '请设置 BACKUP_PASSPHRASE，或用 --backup-passphrase-stdin 提供口令',
  },
  sealed: {
    en: 'It contains the key file and is encrypted: without the passphrase it cannot be restored',
    zh: '其中包含密钥文件，并已加密：没有口令就无法恢复',
  },
  unverified: {
    en: 'The balances were not verified, because the database waits for migrations',
    zh: '数据库尚有迁移未执行，未核对余额',
  },
  drifts: {
    en: 'The ledger has {count} {count:difference|differences}: see `turnpike ledger verify`',
    zh: '账本有 {count} 处偏差：见 `turnpike ledger verify`',
  },
  keys: {
    en: 'It contains the key file: anyone who has it can read all keys. Store it encrypted',
    zh: '其中包含密钥文件：得到它的人可读取所有密钥，请加密存放',
  },
  noKeys: {
    en: 'It does not contain the key file. Keep a copy of {path} (or CRYPTO_SECRET) in another place, such as a password manager: the keys in the backup cannot be decrypted without it',
    zh: '其中不含密钥文件。请将 {path}（或 CRYPTO_SECRET）另存一份，例如存入密码管理器：没有它就无法解密备份中的密钥',
  },
} as const;

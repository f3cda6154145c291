/**
 * What the commands share that work on a database as a whole. They run on the gateway's machine.
 */
import type { BackupHeader } from '../../../core/maintenance/backup-file.ts';
import type { Flag } from '../../base/flags.ts';
import type { Text } from '../../base/text.ts';
import type { Context } from '../../command/command.ts';
import { dataDirFlag } from '../../command/common-flags.ts';
import { loadCommandConfig } from '../../connection/connect.ts';
import type { Output } from '../../show/output.ts';
import { progressBar } from '../../show/progress-bar.ts';

/** The settings, with a note on each variable that is not usable: a gateway logs them, too. */
export async function maintenanceConfig({ values, environment, output }: Context) {
  const { config, warnings } = await loadCommandConfig(values, environment);
  for (const warning of warnings)
    output.note({ en: '{warning}', zh: '{warning}' }, { warning }, 'warn');
  return config;
}

export const databaseFlags: readonly Flag[] = [
  dataDirFlag,
  {
    name: 'database-url',
    variable: true,
    kind: 'text',
    placeholder: 'URL',
    summary: {
      en: 'postgres://… (default: SQLite in the data folder)',
      zh: 'postgres://…（默认使用数据目录中的 SQLite）',
    },
  },
];

export const passphraseFlag = {
  name: 'backup-passphrase-stdin',
  kind: 'switch',
  summary: {
    en: 'Read the passphrase of the backup from standard input (default: BACKUP_PASSPHRASE)',
    zh: '从标准输入读取备份的口令（默认取自 BACKUP_PASSPHRASE）',
  },
} as const satisfies Flag;

/** ms between two drawings of the progress line. */
const drawInterval = 100;

/**
 * Draws a progress line on the terminal: a bar where the total is known, else megabytes. Undefined
 * removes it.
 */
export function progressLine(
  context: Context,
): (label: Text | undefined, done?: number, total?: number) => void {
  let drawnAt = 0;
  let drawn: Text | undefined;
  return (label, done = 0, total = 0) => {
    if (label === undefined) return context.output.progress(undefined);
    const now = Date.now();
    if (label === drawn && now - drawnAt < drawInterval) return;
    drawnAt = now;
    drawn = label;
    const amount = total > 1 ? progressBar(done, total) : done === 0 ? '' : megabytes(done);
    context.output.progress(`${context.output.localize(label)}  ${amount}`);
  };
}

/** Also with --quiet: cron sends what is printed. */
export function warnOfDrifts(output: Output, text: Text, count: number): void {
  output.aside(`${output.localize(text, { count })}\n`);
}

export const megabytes = (bytes: number): string =>
  `${(bytes / 1024 / 1024).toFixed(bytes < 1024 * 1024 ? 2 : 1)} MB`;

/** What scripts see of a backup. */
export function backupFacts(header: BackupHeader) {
  const { version, created_at, engine, steps, tables, with_keys, with_files } = header;
  return { version, created_at, engine, schema: steps.at(-1) ?? '', tables, with_keys, with_files };
}

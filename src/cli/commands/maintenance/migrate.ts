/** `turnpike migrate` (docs/rules/maintenance.md#migrations). */
import { nowSeconds } from '../../../core/kernel/clock.ts';
import { type Command, command, type Outcome } from '../../command/command.ts';
import { openProcessLog } from '../../connection/process-log.ts';
import type { Output } from '../../show/output.ts';
import { databaseFlags, maintenanceConfig, progressLine } from './shared.ts';

export const migrateCommands: readonly Command[] = [
  command({
    name: 'migrate',
    summary: {
      en: 'Bring the database to the schema of this version',
      zh: '将数据库迁移到当前版本的结构',
    },
    details: {
      en: 'The gateway does this by itself when it starts. With this command it can be done before, while the gateway is stopped. SQLite is copied to snapshots/ first.',
      zh: '网关启动时会自动执行。也可在网关停止时用此命令提前执行。SQLite 会先复制到 snapshots/。',
    },
    flags: [
      {
        name: 'dry-run',
        kind: 'switch',
        summary: { en: 'Only list what would be executed', zh: '仅列出将执行的迁移' },
      },
      ...databaseFlags,
    ],
    local: true,
    async run(context): Promise<Outcome> {
      const config = await maintenanceConfig(context);
      const { migrateSite, pendingMigrations } = await import(
        '../../../core/maintenance/migrate-site.ts'
      );
      if (context.values.on('dry-run')) {
        const { pending, unknown } = await pendingMigrations(config);
        const print = (output: Output) => {
          for (const name of pending) output.line(name);
          if (unknown[0] !== undefined) output.note(texts.newer, { step: unknown[0] }, 'warn');
          else if (pending.length === 0) output.note(texts.current, {}, 'ok');
        };
        return { json: { pending, unknown }, print };
      }
      const draw = progressLine(context);
      draw(texts.running);
      const log = openProcessLog(config);
      const { executed, snapshot } = await migrateSite(
        config,
        log.logger,
        nowSeconds(context.clock),
      ).finally(async () => {
        draw(undefined);
        await log.close();
      });
      return {
        json: { executed, snapshot: snapshot ?? null },
        print: (output) => {
          for (const name of executed) output.line(name);
          if (snapshot !== undefined) output.note(texts.kept, { path: snapshot });
          output.note(
            executed.length === 0 ? texts.current : texts.done,
            { count: executed.length },
            'ok',
          );
        },
      };
    },
  }),
];

const texts = {
  running: { en: 'Migrating', zh: '执行迁移' },
  current: { en: 'The database has the schema of this version', zh: '数据库已是当前版本的结构' },
  newer: {
    en: 'A newer version has used this database (migration {step})',
    zh: '更新的版本使用过此数据库（迁移 {step}）',
  },
  kept: { en: 'Kept: {path}', zh: '已保留：{path}' },
  done: {
    en: '{count} {count:migration was|migrations were} executed',
    zh: '已执行 {count} 项迁移',
  },
} as const;

/** `turnpike upgrade` (docs/rules/maintenance.md#upgrade). */
import type { Config } from '../../../core/config/schema.ts';
import { createClient } from '../../../core/contract/client.ts';
import { nowSeconds } from '../../../core/kernel/clock.ts';
import type { UpgradePhase } from '../../../core/maintenance/upgrade.ts';
import { exitCodes } from '../../base/exit-codes.ts';
import type { Language, Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { version } from '../../base/version.ts';
import {
  type Command,
  type Context,
  command,
  failedWith,
  type Outcome,
} from '../../command/command.ts';
import { databaseFlags, maintenanceConfig, progressLine, warnOfDrifts } from './shared.ts';

export const upgradeCommands: readonly Command[] = [
  command({
    name: 'upgrade',
    summary: {
      en: 'Upgrade the site to this version, or go back',
      zh: '将站点升级到当前版本，或退回',
    },
    details: {
      en: 'Install the new version and stop the gateway first. The site is backed up into snapshots/, migrated, and used once: settings, accounts, channels and prices are read and the ledger is verified. If that fails, the database is put back as it was. --back does the same later: what was charged since the upgrade is then lost; install the earlier version before the next start.',
      zh: '请先安装新版本并停止网关。站点先备份到 snapshots/，再执行迁移，然后试用一次：读取设置、账户、渠道与价格并核对账本。若失败，数据库会恢复原状。之后也可用 --back 退回：升级后产生的扣费将丢失；退回后请先安装旧版本再启动。',
    },
    flags: [
      {
        name: 'dry-run',
        kind: 'switch',
        summary: { en: 'Only list what would be executed', zh: '仅列出将执行的迁移' },
      },
      {
        name: 'back',
        kind: 'switch',
        summary: {
          en: 'Put the database back as it was before the last upgrade',
          zh: '将数据库恢复到上次升级之前',
        },
      },
      ...databaseFlags,
    ],
    local: true,
    async run(context): Promise<Outcome> {
      const config = await maintenanceConfig(context);
      if (context.values.on('dry-run')) return list(config);
      const isBack = context.values.on('back');
      const draw = progressLine(context);
      context.stop(); // a signal does not end the process halfway
      const onPhase = (phase: UpgradePhase) => draw(phases[phase]);
      const work = { config, version, now: nowSeconds(context.clock), onPhase };
      return (isBack ? goBackTo(context, work) : upgrade(context, work)).finally(() =>
        draw(undefined),
      );
    },
  }),
];

interface Work {
  readonly config: Config;
  readonly version: string;
  readonly now: number;
  readonly onPhase: (phase: UpgradePhase) => void;
}

async function list(config: Config): Promise<Outcome> {
  const { pendingMigrations } = await import('../../../core/maintenance/migrate-site.ts');
  const { pending, unknown } = await pendingMigrations(config);
  return {
    json: { version, pending, unknown },
    print: (output) => {
      for (const name of pending) output.line(name);
      if (unknown[0] !== undefined) output.note(texts.newer, { step: unknown[0] }, 'warn');
      else if (pending.length === 0) output.note(texts.current, { version }, 'ok');
    },
  };
}

async function upgrade({ output }: Context, work: Work): Promise<Outcome> {
  const { upgradeSite } = await import('../../../core/maintenance/upgrade.ts');
  const { executed, backup, drifts } = await upgradeSite(work, () =>
    useSite(work.config, output.language),
  );
  const outcome: Outcome = {
    json: { version, executed, backup: backup ?? null, drifts },
    print: () => {
      for (const name of executed) output.line(name);
      const count = executed.length;
      output.note(count === 0 ? texts.current : texts.upgraded, { count, version }, 'ok');
      if (backup !== undefined) output.note(texts.wayBack, { path: backup });
      if (drifts > 0) warnOfDrifts(output, texts.drifts, drifts);
    },
  };
  return drifts > 0 ? failedWith(outcome) : outcome;
}

async function goBackTo({ output, terminal, values }: Context, work: Work): Promise<Outcome> {
  const { findWayBack, goBack } = await import('../../../core/maintenance/upgrade.ts');
  const file = findWayBack(work.config);
  if (!values.on('yes')) {
    if (!terminal.interactive) throw new UsageError(texts.yes);
    if (!(await terminal.confirm(texts.confirm, { file })))
      return { exitCode: exitCodes.failed, print: () => output.note(texts.unchanged) };
  }
  work.onPhase('back');
  const { header, kept } = await goBack(work, file);
  return {
    json: { backup: file, created_at: header.created_at, kept },
    print: () => {
      const made = new Date(header.created_at * 1000).toISOString();
      output.note(texts.back, { made }, 'ok');
      for (const path of kept) output.note(texts.kept, { path });
      output.note(texts.install, {}, 'warn');
    },
  };
}

/** Opens the site as a command does and reads what a gateway needs. Returns differences. */
async function useSite(config: Config, language: Language): Promise<number> {
  const { openDirectly } = await import('../../connection/connect-directly.ts');
  const opened = await openDirectly(config, { language, makesSite: false });
  try {
    const client = createClient(opened.transport);
    await client.system.status({});
    await client.option.list({});
    await client.user.list({});
    await client.channel.list({});
    const { ok, drifts, chain } = await client.ledger.verify({});
    return ok ? 0 : drifts.length + chain.breaks.length;
  } finally {
    await opened.close();
  }
}

const phases: Readonly<Record<UpgradePhase, Text>> = {
  backup: { en: 'Backing up', zh: '备份' },
  migrate: { en: 'Migrating', zh: '执行迁移' },
  test: { en: 'Trying the site', zh: '试用站点' },
  back: { en: 'Going back', zh: '恢复原状' },
};

const texts = {
  current: {
    en: 'The database has the schema of version {version}',
    zh: '数据库已是 {version} 版的结构',
  },
  newer: {
    en: 'A newer version has used this database (migration {step})',
    zh: '更新的版本使用过此数据库（迁移 {step}）',
  },
  upgraded: {
    en: 'Upgraded to {version}: {count} {count:migration was|migrations were} executed, and the site was tried. Start the gateway',
    zh: '已升级到 {version}：执行了 {count} 项迁移，试用正常。请启动网关',
  },
  wayBack: {
    en: 'The way back is `turnpike upgrade --back` ({path}), and then the earlier version',
    zh: '如需退回：`turnpike upgrade --back`（{path}），再安装旧版本',
  },
  drifts: {
    en: 'The ledger has {count} {count:difference|differences}: see `turnpike ledger verify`',
    zh: '账本有 {count} 处偏差：见 `turnpike ledger verify`',
  },
  yes: {
    en: '--back needs confirmation: add --yes when not on a terminal',
    zh: '--back 需要确认：非交互运行时请加 --yes',
  },
  confirm: {
    en: 'Put the database back as it is in {file}? What was charged since is lost; a copy is kept',
    zh: '将数据库恢复为 {file} 中的状态？此后的扣费将丢失，当前数据库会保留副本',
  },
  unchanged: { en: 'Nothing was changed', zh: '未做任何更改' },
  back: { en: 'The database is as it was at {made}', zh: '数据库已恢复到 {made} 的状态' },
  kept: { en: 'Kept: {path}', zh: '已保留：{path}' },
  install: {
    en: 'Install the earlier version before you start the gateway: this one would migrate it again',
    zh: '启动网关前请先安装旧版本：当前版本会再次执行迁移',
  },
} as const;

/** `turnpike import …`: moves a site of another program in (docs/rules/import.md). */
import type { ImportNote, ImportReport, Loss } from '../../core/import-site.ts';
import { formatCount } from '../../core/pricing/format.ts';
import type { ImportFamily } from '../../core/vocabulary/import-reasons.ts';
import type { Text } from '../base/text.ts';
import { type Command, type Context, command, type Outcome } from '../command/command.ts';
import { loadCommandConfig } from '../connection/connect.ts';
import { defaultMoney } from '../show/money.ts';
import type { Output } from '../show/output.ts';
import { progressBar } from '../show/progress-bar.ts';
import { printTable } from '../show/table.ts';
import { litellmDetails, litellmFlags, readLitellmInput } from './import-litellm.ts';
import { reasonTexts } from './import-words.ts';
import { databaseFlags } from './maintenance/shared.ts';

const names: Readonly<Record<ImportFamily, string>> = {
  newapi: 'New API',
  oneapi: 'One API',
  onehub: 'one-hub',
  sub2api: 'sub2api',
  litellm: 'LiteLLM',
};

/** ms between two drawings of the progress bar. */
const redrawInterval = 100;

const sub2apiDetails: Text = {
  en: 'SOURCE is the URL or DSN of its PostgreSQL database; - reads it from standard input, which keeps a password out of the process list. It is only read. Stop the gateway first. Ids, keys and passwords are kept; balances in dollars become quota. Accounts with an API key become channels, what subscriptions still allow becomes a grant, limits of keys become budgets. Everything is written in one transaction, which is rolled back unless counts and sums equal those of the source. A second run adds what is missing by id and leaves the rest as it is.',
  zh: 'SOURCE 为其 PostgreSQL 数据库的 URL 或 DSN；写 - 则从标准输入读取，密码不会出现在进程列表中。来源仅读取。请先停止网关。编号、密钥和密码保持不变，美元余额换算为额度。使用 API 密钥的账号成为渠道，订阅剩余可用的额度以赠送方式加到余额，密钥的限额成为预算。全部写入在一个事务中完成，行数与合计和来源不一致时整体回滚。再次运行只按编号补齐缺少的行，其余不变。',
};

const commonDetails: Text = {
  en: 'SOURCE is a SQLite file, a PostgreSQL URL or DSN, or a MySQL DSN (user:password@tcp(host:3306)/database); - reads it from standard input, which keeps a password out of the process list. It is only read. Stop the gateway first. Ids, keys, passwords and balances are kept. Everything is written in one transaction, which is rolled back unless counts and sums equal those of the source. A second run adds what is missing by id and leaves the rest as it is.',
  zh: 'SOURCE 为 SQLite 文件、PostgreSQL 的 URL 或 DSN，或 MySQL 的 DSN（user:password@tcp(host:3306)/database）；写 - 则从标准输入读取，密码不会出现在进程列表中。来源仅读取。请先停止网关。编号、密钥、密码和余额保持不变。全部写入在一个事务中完成，行数与合计和来源不一致时整体回滚。再次运行只按编号补齐缺少的行，其余不变。',
};
const details: Readonly<Partial<Record<ImportFamily, Text>>> = {
  sub2api: sub2apiDetails,
  litellm: litellmDetails,
};

const logFromFlag = {
  name: 'log-from',
  kind: 'text',
  placeholder: 'DSN',
  summary: {
    en: 'Database of the usage logs, where LOG_SQL_DSN names one',
    zh: '使用日志所在的数据库（旧程序设置了 LOG_SQL_DSN 时）',
  },
} as const;

/** The usage logs may be in a database of their own. */
const splitsLogs = (family: ImportFamily) => family === 'newapi' || family === 'oneapi';

function importCommand(family: ImportFamily): Command {
  const name = names[family];
  return command({
    name: `import ${family}`,
    summary: { en: `Move a ${name} site in`, zh: `迁入 ${name} 站点` },
    details: details[family] ?? commonDetails,
    arguments: [
      {
        name: 'source',
        kind: 'text',
        summary: {
          en: 'SQLite file, PostgreSQL or MySQL address',
          zh: 'SQLite 文件、PostgreSQL 或 MySQL 地址',
        },
      },
    ],
    flags: [
      {
        name: 'dry-run',
        kind: 'switch',
        summary: { en: 'Only report what would be imported', zh: '只报告将导入的内容' },
      },
      ...(splitsLogs(family) ? [logFromFlag] : []),
      ...(family === 'litellm' ? litellmFlags : []),
      {
        name: 'batch',
        kind: 'integer',
        placeholder: 'N',
        min: 1,
        max: 10_000,
        summary: {
          en: 'Rows read and written together (default 1000)',
          zh: '每批读写的行数（默认 1000）',
        },
      },
      {
        name: 'force',
        kind: 'switch',
        summary: { en: 'Import into a site that has users of its own', zh: '导入到已有用户的站点' },
      },
      ...databaseFlags,
    ],
    local: true,
    run: (context) => runImport(context, family),
  });
}

async function runImport(context: Context, family: ImportFamily): Promise<Outcome> {
  const { output, values } = context;
  const site = await import('../../core/import-site.ts');
  const given = context.arguments['source'] ?? '';
  const request = {
    family,
    // An address with a password need not be in the list of processes.
    sourceName: given === '-' ? (await context.terminal.readAll('SOURCE')).trim() : given,
    logSourceName: values.text('log-from'),
    batch: values.integer('batch'),
    force: values.on('force'),
    clock: context.clock,
    signal: context.stop(),
    progress: drawProgress(output, context.clock.now),
    ...(family === 'litellm' && { litellm: await readLitellmInput(context) }),
  };
  try {
    if (values.on('dry-run')) return shown(await site.planImport(request), context);
    const { config } = await loadCommandConfig(values, context.environment);
    return shown(await site.importSite(request, config), context);
  } finally {
    output.progress(undefined);
  }
}

function drawProgress(output: Output, now: () => number) {
  let drawn = 0;
  return (table: string, done: number, total: number): void => {
    if (done < total && now() - drawn < redrawInterval) return;
    drawn = now();
    output.progress(`${table.padEnd(12)} ${progressBar(done, total)}`);
  };
}

function shown(report: ImportReport, { clock }: Context): Outcome {
  return {
    json: toJson(report),
    print: (output) => printReport(output, report, Math.floor(clock.now() / 1000)),
  };
}

/** Sums as text: they may exceed the safe integers. */
function toJson(report: ImportReport) {
  return {
    family: report.family,
    engine: report.engine,
    source: report.source,
    ...(report.logSource === undefined ? {} : { log_source: report.logSource }),
    dry_run: report.dryRun,
    tables: report.tables.map(({ table, read, carried, leftOut, alreadyThere, notes }) => ({
      table,
      read,
      carried,
      left_out: leftOut,
      already_there: alreadyThere,
      notes,
    })),
    left_out_tables: report.leftOutTables,
    logs_elsewhere: report.logsElsewhere,
    proof: report.proof.map(({ table, figure, expected, found }) => ({
      table,
      figure,
      expected: String(expected),
      found: String(found),
    })),
    users_compared: report.usersCompared,
  };
}

function printReport(output: Output, report: ImportReport, now: number): void {
  const view = { language: output.language, money: defaultMoney, now };
  output.line(
    output.paint(
      'title',
      output.localize(report.dryRun ? texts.dryRun : texts.imported, { source: report.source }),
    ),
  );
  printTable(
    output,
    [
      { title: { en: 'table', zh: '表' }, value: ({ table }) => table },
      { title: { en: 'read', zh: '读取' }, value: ({ read }) => formatCount(read), align: 'right' },
      {
        title: { en: 'carried', zh: '导入' },
        value: ({ carried }) => formatCount(carried),
        align: 'right',
      },
      {
        title: { en: 'left out', zh: '未导入' },
        value: ({ leftOut }) => formatCount(leftOut),
        align: 'right',
      },
      {
        title: { en: 'already there', zh: '已存在' },
        value: ({ alreadyThere }) => formatCount(alreadyThere),
        align: 'right',
      },
    ],
    report.tables,
    view,
  );
  const notes = report.tables.flatMap(({ table, notes: found }) =>
    found.map((note) => ({ table, ...note })),
  );
  if (notes.length > 0) {
    output.line(`\n${output.paint('title', output.localize(texts.notes))}`);
    for (const note of notes) output.line(`${note.table}: ${noteLine(output, note)}`);
  }
  if (report.leftOutTables.length > 0) {
    const tables = report.leftOutTables
      .map(({ table, rows }) => `${table} (${formatCount(rows)})`)
      .join(', ');
    output.line(`\n${output.paint('title', output.localize(texts.tables))} ${tables}`);
    for (const { loss } of report.leftOutTables) {
      if (loss !== undefined) output.line(output.paint('warn', output.localize(lossTexts[loss])));
    }
  }
  if (report.logsElsewhere)
    output.line(`\n${output.paint('warn', output.localize(texts.logsElsewhere))}`);
  if (report.dryRun) return output.note(texts.nothingWritten);
  output.line(`\n${output.paint('title', output.localize(texts.proof))}`);
  printTable(
    output,
    [
      { title: { en: 'table', zh: '表' }, value: ({ table }) => table },
      { title: { en: 'figure', zh: '项目' }, value: ({ figure }) => figure },
      {
        title: { en: 'source', zh: '来源' },
        value: ({ expected }) => String(expected),
        align: 'right',
      },
      { title: { en: 'here', zh: '本站' }, value: ({ found }) => String(found), align: 'right' },
    ],
    report.proof.filter(({ expected, found }) => expected !== 0n || found !== 0n),
    view,
  );
  output.note(texts.proven, { users: formatCount(report.usersCompared) }, 'ok');
}

function noteLine(output: Output, { reason, count, examples }: ImportNote): string {
  const more = count > examples.length ? ', …' : '';
  return `${output.localize(reasonTexts[reason])}: ${formatCount(count)} (${examples.join(', ')}${more})`;
}

export const importCommands: readonly Command[] = [
  importCommand('newapi'),
  importCommand('oneapi'),
  importCommand('onehub'),
  importCommand('sub2api'),
  importCommand('litellm'),
];

const lossTexts: Readonly<Record<Loss, Text>> = {
  passkeys: {
    en: 'Passkeys are not carried: their owners sign in by password and make new ones',
    zh: '通行密钥不会导入：用户需用密码登录后重新创建',
  },
  recovery_codes: {
    en: 'Recovery codes are not carried: their owners sign in with their app and make new ones',
    zh: '恢复码不会导入：用户需用验证器登录后重新生成',
  },
  subscriptions: {
    en: 'Subscriptions are not carried, and what is left of them is in no balance: settle them with their owners before moving',
    zh: '订阅不会导入，其剩余额度也不在余额中：请在迁移前与用户结清',
  },
  user_rates: {
    en: 'Rates of single users are not carried: their requests cost the rate of the group',
    zh: '单个用户的专属倍率不会导入：请求将按分组倍率计费',
  },
  limits: {
    en: 'Limits of organizations, projects, team members, customers and tags are not carried: set those that you need as budgets',
    zh: '组织、项目、团队成员、客户和标签的限额不会导入：请将需要的设为预算',
  },
};

const texts = {
  dryRun: { en: 'Would be imported from {source}', zh: '将从 {source} 导入' },
  imported: { en: 'Imported from {source}', zh: '已从 {source} 导入' },
  notes: { en: 'Changed or left out', zh: '有改动或未导入的内容' },
  tables: { en: 'Tables left out:', zh: '未导入的表：' },
  logsElsewhere: {
    en: 'The source has no usage logs, although its users made requests. If the old program had LOG_SQL_DSN, run the import again with --log-from and that address, before the gateway starts',
    zh: '来源中没有使用日志，但用户有过请求。若旧程序设置了 LOG_SQL_DSN，请在启动网关前加上 --log-from 和该地址再运行一次导入',
  },
  proof: { en: 'Proof', zh: '核对' },
  nothingWritten: { en: 'Nothing was written', zh: '没有写入任何数据' },
  proven: {
    en: 'All counts and sums are equal, and those of {users} {users:user|users} one by one',
    zh: '所有行数与合计一致，并已逐一核对 {users} 个用户',
  },
} as const;

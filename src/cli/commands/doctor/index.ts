/** `turnpike doctor …` (docs/rules/command-line.md#doctor). */
import type { ExaminedEntity } from '../../../core/contract/doctor.ts';
import { CallError } from '../../../core/contract/envelope.ts';
import { api } from '../../../core/contract/index.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { describeFailure } from '../../base/failure.ts';
import type { Text } from '../../base/text.ts';
import { type Command, type Context, command, failedWith } from '../../command/command.ts';
import { isRemote, loadCommandConfig } from '../../connection/connect.ts';
import type { Tone } from '../../kit/tones.ts';
import type { Output } from '../../show/output.ts';
import { doctorClientCommand } from './client.ts';

/**
 * A gateway examines itself. A stopped site is looked at before it is opened, and opened only if
 * that changes nothing.
 */
async function examine(context: Context): Promise<readonly ExaminedEntity[]> {
  const { output, values, environment, clock } = context;
  if (isRemote(values, environment)) return examineOpen(context);
  const { config, warnings } = await loadCommandConfig(values, environment);
  const { readGatewayFile } = await import('../../../core/config/gateway-file.ts');
  if (readGatewayFile(config.dataDir) !== undefined) return examineOpen(context);
  const { examineStopped } = await import('../../../core/doctor/stopped-site.ts');
  const describe = (error: unknown) => ({
    en: describeFailure(error, 'en').message,
    zh: describeFailure(error, 'zh').message,
  });
  const { report, canOpen } = await examineStopped({ config, warnings, clock, describe });
  const before = report.map(({ id, level, ...texts }) => ({
    id,
    level,
    ...mapTexts(texts, (text) => output.localize(text)),
  }));
  return canOpen ? [...before, ...(await examineOpen(context))] : before;
}

const mapTexts = <K extends string>(
  texts: Readonly<Record<K, Text>>,
  localize: (text: Text) => string,
): Record<K, string> =>
  Object.fromEntries(
    Object.entries<Text>(texts).map(([key, text]) => [key, localize(text)]),
  ) as Record<K, string>;

/** A site that cannot be opened is a finding, too. */
async function examineOpen(context: Context): Promise<readonly ExaminedEntity[]> {
  const channel = context.values.integer('clock-channel');
  try {
    return (
      await context.call(
        api.doctor.examine,
        channel === undefined ? {} : { clock_channel: channel },
      )
    ).items;
  } catch (error) {
    if (
      !(error instanceof AppError) &&
      !(error instanceof CallError && error.code === 'gateway_unreachable')
    )
      throw error;
    const { output } = context;
    const { message } = describeFailure(error, output.language);
    const opening = mapTexts(
      { title: texts.open, why: texts.openWhy, mend: texts.openMend },
      (text) => output.localize(text),
    );
    return [{ id: 'open', level: 'problem', message, ...opening }];
  }
}

const marks: Readonly<Record<ExaminedEntity['level'], readonly [string, Tone]>> = {
  ok: ['ok     ', 'ok'],
  warning: ['warning', 'warn'],
  problem: ['problem', 'error'],
};

function printReport(output: Output, items: readonly ExaminedEntity[]): void {
  for (const { title, level, message, why, mend } of items) {
    const [mark, tone] = marks[level];
    output.line(`${output.paint(tone, mark)}  ${title}${message === '' ? '' : `: ${message}`}`);
    for (const text of [why, mend])
      if (text !== '') output.line(output.paint('dim', `         ${text}`));
  }
  const count = (level: ExaminedEntity['level']) =>
    items.filter((item) => item.level === level).length;
  output.note(
    texts.sum,
    { problems: count('problem'), warnings: count('warning') },
    count('problem') > 0 ? 'error' : 'ok',
  );
}

export const doctorCommands: readonly Command[] = [
  command({
    name: 'doctor',
    summary: {
      en: 'Examine the site; exit code 1 if there is a problem',
      zh: '检查站点；有问题时退出码为 1',
    },
    details: {
      en: 'Looks at the data folder and its key file, the disk, the newest backup, the database, its schema and clock, the ledger, the port and who can reach it, the limit of open files, Redis, options, the server address, channels, prices and tokens. Each finding says what is wrong, what follows from it and what mends it. Changes nothing: a stopped site that waits for migrations is not opened. Warnings do not change the exit code.',
      zh: '检查数据目录与密钥文件、磁盘、最近的备份、数据库及其结构与时钟、账本、端口及可达范围、文件数上限、Redis、设置项、服务器地址、渠道、价格与令牌。每条结果说明问题、后果与解决办法。不做任何更改：待迁移的已停止站点不会被打开。警告不影响退出码。',
    },
    flags: [
      {
        name: 'clock-channel',
        kind: 'integer',
        placeholder: 'ID',
        summary: {
          en: "Also compare the clock with that of this channel's upstream, by a request without a key",
          zh: '同时与该渠道上游的时钟比较（发送一个不带密钥的请求）',
        },
      },
    ],
    async run(context) {
      const items = await examine(context);
      const outcome = {
        json: { items, total: items.length },
        print: (output: Output) => printReport(output, items),
      };
      return items.some(({ level }) => level === 'problem') ? failedWith(outcome) : outcome;
    },
  }),
  doctorClientCommand,
];

const texts = {
  open: { en: 'Opening the site', zh: '打开站点' },
  openWhy: { en: 'The other checks need the site', zh: '其他检查需要能打开站点' },
  openMend: {
    en: 'Correct this and run turnpike doctor again',
    zh: '请先解决此问题，再执行 turnpike doctor',
  },
  sum: {
    en: 'Problems: {problems}, warnings: {warnings}',
    zh: '{problems} 个问题，{warnings} 个警告',
  },
} as const;

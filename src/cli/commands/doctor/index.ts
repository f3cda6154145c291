/** `turnpike doctor …` (docs/rules/command-line.md#doctor). */
import type { ExaminedEntity } from '../../../core/contract/doctor.ts';
import { CallError } from '../../../core/contract/envelope.ts';
import { api } from '../../../core/contract/index.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { describeFailure } from '../../base/failure.ts';
import { type Command, type Context, command, failedWith } from '../../command/command.ts';
import type { Tone } from '../../kit/tones.ts';
import type { Output } from '../../show/output.ts';
import { doctorClientCommand } from './client.ts';

/** A site that cannot be opened is a finding, too. */
async function examine(context: Context): Promise<readonly ExaminedEntity[]> {
  try {
    return (await context.call(api.doctor.examine, {})).items;
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof CallError && error.code === 'gateway_unreachable')) throw error;
    const { output } = context;
    const { message } = describeFailure(error, output.language);
    return [{ id: 'open', title: output.localize(texts.open), level: 'problem', message, mend: output.localize(texts.openMend) }];
  }
}

const marks: Readonly<Record<ExaminedEntity['level'], readonly [string, Tone]>> = {
  ok: ['ok     ', 'ok'],
  warning: ['warning', 'warn'],
  problem: ['problem', 'error'],
};

function printReport(output: Output, items: readonly ExaminedEntity[]): void {
  for (const { title, level, message, mend } of items) {
    const [mark, tone] = marks[level];
    output.line(`${output.paint(tone, mark)}  ${title}${message === '' ? '' : `: ${message}`}`);
    if (mend !== '') output.line(output.paint('dim', `           ${mend}`));
  }
  const count = (level: ExaminedEntity['level']) => items.filter((item) => item.level === level).length;
  output.note(texts.sum, { problems: count('problem'), warnings: count('warning') }, count('problem') > 0 ? 'error' : 'ok');
}

export const doctorCommands: readonly Command[] = [
  command({
    name: 'doctor',
    summary: { en: 'Examine the site; exit code 1 if there is a problem', zh: '检查站点；有问题时退出码为 1' },
    details: {
      en: 'Looks at the data folder, the disk, the database and its clock, the ledger, options, the server address, channels, prices and tokens, and says how to mend what is wrong. Warnings do not change the exit code.',
      zh: '检查数据目录、磁盘、数据库与时钟、账本、设置项、服务器地址、渠道、价格与令牌，并说明如何解决。警告不影响退出码。',
    },
    async run(context) {
      const items = await examine(context);
      const outcome = { json: { items, total: items.length }, print: (output: Output) => printReport(output, items) };
      return items.some(({ level }) => level === 'problem') ? failedWith(outcome) : outcome;
    },
  }),
  doctorClientCommand,
];

const texts = {
  open: { en: 'Opening the site', zh: '打开站点' },
  openMend: {
    en: 'Correct this first; the other checks need the site',
    zh: '请先解决此问题，其他检查需要能打开站点',
  },
  sum: { en: '{problems} problems, {warnings} warnings', zh: '{problems} 个问题，{warnings} 个警告' },
} as const;

/** `turnpike jobs …`: the work that the gateway does by itself. */
import { api } from '../../core/contract/index.ts';
import { type Command, command } from '../command/command.ts';
import { printTable } from '../show/table.ts';
import { formatSpan, formatTime } from '../show/times.ts';

const { jobs } = api;

export const jobCommands: readonly Command[] = [
  command({
    name: 'jobs list',
    summary: {
      en: 'List background jobs with their last and next run',
      zh: '列出后台任务及其上次、下次运行',
    },
    async run(context) {
      const found = await context.call(jobs.list, {});
      return {
        json: { items: found, total: found.length },
        async print(output, view) {
          const { now, language } = await view();
          printTable(
            output,
            [
              { title: { en: 'job', zh: '任务' }, value: (row) => row.name },
              {
                title: { en: 'every', zh: '间隔' },
                value: (row) =>
                  row.interval === 0
                    ? output.localize(texts.off)
                    : formatSpan(row.interval, language),
              },
              {
                title: { en: 'last run', zh: '上次运行' },
                value: (row) => formatTime(row.last_started_at, now),
              },
              {
                title: { en: 'seconds', zh: '耗时（秒）' },
                value: (row) => (row.last_started_at === 0 ? '' : row.last_duration.toFixed(1)),
                align: 'right',
              },
              {
                title: { en: 'next run', zh: '下次运行' },
                value: (row) =>
                  row.running ? output.localize(texts.running) : formatTime(row.next_run_at, now),
              },
              {
                title: { en: 'error', zh: '错误' },
                value: (row) =>
                  row.late
                    ? `${output.localize(texts.late)} ${row.last_error}`.trim()
                    : row.last_error,
                tone: () => 'error',
              },
            ],
            found,
            await view(),
          );
        },
      };
    },
  }),
];

const texts = {
  off: { en: 'off', zh: '关闭' },
  running: { en: 'running', zh: '运行中' },
  late: { en: 'late', zh: '逾期' },
} as const;

/** `turnpike jobs …` and `turnpike nodes`: background work, and the gateways that do it. */
import { api } from '../../core/contract/index.ts';
import { type Command, command } from '../command/command.ts';
import { printTable } from '../show/table.ts';
import { formatSpan, formatTime } from '../show/times.ts';

const { jobs, nodes } = api;

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
  command({
    name: 'nodes',
    summary: {
      en: 'List the gateways that serve this site',
      zh: '列出为本站点提供服务的网关',
    },
    details: {
      en: 'Gateways of one PostgreSQL announce themselves every ten seconds; one that was not seen for half a minute is not listed. Without a common Redis, limits count for each alone and changes arrive up to five seconds late.',
      zh: '使用同一 PostgreSQL 的网关每十秒登记一次；半分钟未登记的不再列出。若未共享 Redis，限流各自计算，变更最多延迟五秒生效。',
    },
    async run(context) {
      const found = await context.call(nodes.list, {});
      return {
        json: { items: found, total: found.length },
        async print(output, view) {
          const { now } = await view();
          printTable(
            output,
            [
              { title: { en: 'machine', zh: '主机' }, value: (row) => row.host },
              { title: { en: 'address', zh: '地址' }, value: (row) => row.address },
              { title: { en: 'version', zh: '版本' }, value: (row) => row.version },
              {
                title: { en: 'since', zh: '启动时间' },
                value: (row) => formatTime(row.started_at, now),
              },
              {
                title: { en: 'last seen', zh: '最近登记' },
                value: (row) => formatTime(row.seen_at, now),
              },
              {
                title: { en: 'Redis', zh: 'Redis' },
                value: (row) =>
                  output.localize(
                    row.this ? texts.answers : row.shared ? texts.shared : texts.separate,
                  ),
                tone: (row) => (row.shared ? 'plain' : 'error'),
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
  answers: { en: 'this one', zh: '本网关' },
  shared: { en: 'shared', zh: '已共享' },
  separate: { en: 'not shared', zh: '未共享' },
} as const;

/** `turnpike nodes`: the gateways that serve the site (docs/rules/process.md#nodes). */
import { api } from '../../core/contract/index.ts';
import { type Command, command } from '../command/command.ts';
import { printTable } from '../show/table.ts';
import { formatTime } from '../show/times.ts';

const { nodes } = api;

export const nodeCommands: readonly Command[] = [
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
  answers: { en: 'this one', zh: '本网关' },
  shared: { en: 'shared', zh: '已共享' },
  separate: { en: 'not shared', zh: '未共享' },
} as const;

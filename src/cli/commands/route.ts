/** `turnpike route explain`: the decision of the router, before a request is made (design, product 4). */
import { api } from '../../core/contract/index.ts';
import { type Command, command } from '../command.ts';
import { fieldFlag } from '../field-flag.ts';
import { printTable } from '../table.ts';

const { routeExplain } = api.turnpike;

export const routeCommands: readonly Command[] = [
  command({
    name: 'route explain',
    summary: { en: 'Channels a request would try, in order, and why', zh: '请求会依次尝试的渠道及原因' },
    flags: [
      fieldFlag(routeExplain, 'model', { en: 'Model asked for', zh: '请求的模型' }, { required: true }),
      fieldFlag(routeExplain, 'group', { en: 'Group (default: default)', zh: '分组（默认 default）' }),
    ],
    async run(context) {
      const found = await context.call(routeExplain, context.values.input() as { model: string });
      const rows = found.tiers.flatMap((tier) => tier.channels.map((channel) => ({ ...channel, priority: tier.priority })));
      return {
        json: found,
        async print(output, view) {
          if (rows.length === 0) return output.note(texts.none, { model: found.model, group: found.group }, 'warn');
          printTable(
            output,
            [
              { title: { en: 'priority', zh: '优先级' }, value: (row) => String(row.priority), align: 'right' },
              { title: { en: 'id', zh: '编号' }, value: (row) => String(row.id), align: 'right' },
              { title: { en: 'channel', zh: '渠道' }, value: (row) => row.name },
              { title: { en: 'weight', zh: '权重' }, value: (row) => String(row.weight), align: 'right' },
              { title: { en: 'first', zh: '首选率' }, value: (row) => `${(100 * row.share).toFixed(1)} %`, align: 'right' },
              {
                title: { en: 'upstream model', zh: '上游模型' },
                value: (row) => (row.upstream_model === found.model ? '' : row.upstream_model),
              },
              { title: { en: 'passed over', zh: '跳过原因' }, value: (row) => row.skipped, tone: () => 'warn' },
            ],
            rows,
            await view(),
          );
        },
      };
    },
  }),
];

const texts = {
  none: { en: 'No channel serves {model} to group {group}', zh: '分组 {group} 没有可用于 {model} 的渠道' },
} as const;

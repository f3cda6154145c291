/**
 * `turnpike route explain`: the routing decision for a request, without sending it
 * (docs/rules/routing.md#route-explain).
 */
import type { OutputOf } from '../../core/contract/endpoint.ts';
import { api } from '../../core/contract/index.ts';
import { type Language, localize } from '../base/text.ts';
import { type Command, command } from '../command/command.ts';
import { fieldFlag } from '../command/field-flag.ts';
import type { Tone } from '../kit/tones.ts';
import { skipReasonText } from '../show/skip-reason.ts';
import { printTable } from '../show/table.ts';

const { explain } = api.routes;

export const routeCommands: readonly Command[] = [
  command({
    name: 'route explain',
    summary: {
      en: 'Channels a request would try, in order, with reasons',
      zh: '请求将依次尝试的渠道及原因',
    },
    flags: [
      fieldFlag(explain, 'model', { en: 'Requested model', zh: '请求的模型' }, { required: true }),
      fieldFlag(explain, 'group', { en: 'Group (default: default)', zh: '分组（默认 default）' }),
    ],
    async run(context) {
      const found = await context.call(explain, context.values.input() as { model: string });
      const rows = found.tiers.flatMap((tier) =>
        tier.channels.map((channel) => ({ ...channel, priority: tier.priority })),
      );
      return {
        json: found,
        async print(output, view) {
          if (rows.length === 0)
            return output.note(texts.none, { model: found.model, group: found.group }, 'warn');
          printTable(
            output,
            [
              {
                title: { en: 'priority', zh: '优先级' },
                value: (row) => String(row.priority),
                align: 'right',
              },
              { title: { en: 'id', zh: '编号' }, value: (row) => String(row.id), align: 'right' },
              { title: { en: 'channel', zh: '渠道' }, value: (row) => row.name, narrow: 'elide' },
              {
                title: { en: 'weight', zh: '权重' },
                value: (row) => String(row.weight),
                align: 'right',
              },
              {
                title: { en: 'first choice', zh: '首选概率' },
                value: (row) => `${(100 * row.share).toFixed(1)} %`,
                align: 'right',
              },
              {
                title: { en: 'upstream model', zh: '上游模型' },
                narrow: 'drop',
                value: (row) => (row.upstream_model === found.model ? '' : row.upstream_model),
              },
              {
                title: { en: 'keys', zh: '密钥' },
                value: (row) => keysText(row),
                align: 'right',
                narrow: 'drop',
              },
              {
                title: { en: 'state', zh: '状态' },
                value: (row, { language }) => stateText(row, language),
                tone: stateTone,
              },
              {
                title: { en: 'skipped', zh: '跳过原因' },
                value: (row, { language }) => skipReasonText(row.skipped, language),
                tone: () => 'warn',
              },
            ],
            rows,
            await view(),
          );
        },
      };
    },
  }),
];

type Row = OutputOf<typeof explain>['tiers'][number]['channels'][number];

/** Enabled keys out of all; empty for a channel with one key. */
function keysText({ keys, keys_off: off }: Pick<Row, 'keys' | 'keys_off'>): string {
  if (keys === 1) return '';
  return off === 0 ? String(keys) : `${keys - off}/${keys}`;
}

/** Health of the channel: circuit open, cooling down, or both. */
function stateText(
  row: Pick<Row, 'state' | 'retry_in' | 'cooling_for'>,
  language: Language,
): string {
  const cooling =
    row.cooling_for > 0 ? localize(language, texts.cooling, { seconds: row.cooling_for }) : '';
  if (cooling !== '' && row.state === 'closed') return cooling;
  return [localize(language, texts[row.state], { seconds: row.retry_in }), cooling]
    .filter(Boolean)
    .join('; ');
}

const stateTone = (row: Row): Tone =>
  row.state !== 'closed' ? 'error' : row.cooling_for > 0 ? 'warn' : 'plain';

const texts = {
  closed: { en: 'healthy', zh: '正常' },
  open: { en: 'circuit open, {seconds} s', zh: '已熔断，{seconds} 秒' },
  half_open: { en: 'circuit half-open', zh: '熔断试探中' },
  cooling: { en: 'cooling down, {seconds} s', zh: '限流中，{seconds} 秒' },
  none: {
    en: 'No channel serves {model} for group {group}',
    zh: '分组 {group} 没有可用于 {model} 的渠道',
  },
} as const;

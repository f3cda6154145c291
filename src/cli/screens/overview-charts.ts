/** The charts of the overview: traffic and spending. */
import type { Overview } from '../../core/contract/overview.ts';
import { formatTokenCount } from '../../core/pricing/format.ts';
import { bar, columnChart } from '../kit/charts.ts';
import { cell, type Line, line, span, widthOf } from '../kit/lines.ts';
import type { Host } from './view.ts';

/** Lines from which there are the three small charts. */
const sparksFrom = 6;

/** Requests per minute with the figures of today, and the small charts where there is room. */
export function drawTraffic(
  overview: Overview,
  width: number,
  height: number,
  host: Host,
): readonly Line[] {
  const minutes = overview.requests_by_minute;
  const sparks = height < sparksFrom ? [] : drawSparks(overview, width, host);
  const chart = columnChart(
    minutes,
    width,
    Math.max(1, height - 2 - sparks.length),
    host.glyphs,
  ).map((row) => line(span(row, 'info')));
  const all = overview.succeeded + overview.failed;
  const share = (part: number, whole: number, digits: number) =>
    `${((100 * part) / whole).toFixed(digits)} %`;
  const today = [
    `${host.localize(texts.today)} ${overview.requests_today}`,
    ...(all === 0 ? [] : [`${host.localize(texts.failed)} ${share(overview.failed, all, 2)}`]),
    ...(overview.prompt_tokens === 0
      ? []
      : [
          `${host.localize(texts.cached)} ${share(overview.cached_tokens, overview.prompt_tokens, 0)}`,
        ]),
    // Faults of callers: the small chart of errors has them, too.
    ...(overview.refused === 0 ? [] : [`${host.localize(texts.refused)} ${overview.refused}`]),
  ];
  return [
    ...chart,
    line(
      span(
        `${host.localize(texts.peak)} ${Math.max(0, ...minutes)}   ${host.localize(texts.now)} ${overview.rpm}`,
      ),
    ),
    line(span(joinFitting(today, width), 'dim')),
    ...sparks,
  ];
}

/** The first of the figures that fit: half of a figure says something else. */
function joinFitting(figures: readonly string[], width: number): string {
  const joined = (count: number) => figures.slice(0, count).join('   ');
  let count = figures.length;
  while (count > 1 && widthOf(line(joined(count))) > width) count -= 1;
  return joined(count);
}

/** Tokens, cost and errors of the same hour, one line each, with their sums. */
function drawSparks(overview: Overview, width: number, host: Host): readonly Line[] {
  const { money } = host.cells;
  const rows = [
    {
      title: texts.tokens,
      values: overview.tokens_by_minute,
      tone: 'info',
      write: formatTokenCount,
    },
    { title: texts.cost, values: overview.quota_by_minute, tone: 'ok', write: money.total },
    { title: texts.errors, values: overview.failed_by_minute, tone: 'error', write: String },
  ] as const;
  return rows.map(({ title, values, tone, write }) => {
    const name = cell(host.localize(title), 7, host.glyphs);
    const sum = cell(
      write(values.reduce((all, value) => all + value, 0)),
      10,
      host.glyphs,
      'right',
    );
    const room = width - widthOf(line(name, sum)) - 1;
    const [chart = ''] = columnChart(values, room, 1, host.glyphs);
    return line(name, span(cell(chart, room, host.glyphs), tone), ` ${sum}`);
  });
}

/** What was spent today, by model. */
export function drawSpending(
  overview: Overview,
  width: number,
  height: number,
  host: Host,
): readonly Line[] {
  if (overview.models.length === 0) return [line(span(host.localize(texts.nothingSpent), 'dim'))];
  const sums = overview.models.map((model) => host.cells.money.total(model.quota));
  const sumWidth = Math.max(...sums.map((sum) => sum.length));
  const nameWidth = Math.min(20, Math.floor(width / 2));
  const barWidth = Math.max(1, width - nameWidth - sumWidth - 2);
  const largest = overview.models[0]?.quota ?? 0;
  return overview.models
    .slice(0, height)
    .map((model, index) =>
      line(
        `${cell(model.model_name, nameWidth, host.glyphs)} `,
        span(cell(bar(model.quota, largest, barWidth, host.glyphs), barWidth, host.glyphs), 'ok'),
        span(` ${(sums[index] ?? '').padStart(sumWidth)}`, 'money'),
      ),
    );
}

const texts = {
  nothingSpent: { en: 'Nothing spent yet', zh: '暂无消费' },
  peak: { en: 'peak', zh: '峰值' },
  now: { en: 'now', zh: '当前' },
  failed: { en: 'failed', zh: '失败' },
  today: { en: 'today', zh: '今日' },
  cached: { en: 'cached', zh: '缓存命中' },
  tokens: { en: 'tokens', zh: 'Token' },
  cost: { en: 'cost', zh: '费用' },
  errors: { en: 'errors', zh: '失败' },
  refused: { en: 'refused', zh: '拒绝' },
} as const;

/** View 1: traffic, spending, channels and the last requests at a glance. */
import type { LogEntity } from '../../core/contract/entities.ts';
import type { ChannelHealth, Overview } from '../../core/contract/overview.ts';
import { formatTokenCount } from '../../core/pricing/format.ts';
import { logTypes } from '../../core/vocabulary/log-types.ts';
import { channelStatuses } from '../../core/vocabulary/statuses.ts';
import { bar, columnChart } from '../kit/charts.ts';
import { type Band, contentWidth, shareWidth } from '../kit/frame.ts';
import { cell, type Line, line, span, toned, widthOf } from '../kit/lines.ts';
import { List } from '../kit/list.ts';
import { labelFor } from '../show/labels.ts';
import { formatClock } from '../show/times.ts';
import { drawTicks, healthSign } from './channel-health.ts';
import { type Action, listActions } from './keys.ts';
import { LiveRows } from './live-rows.ts';
import { pressList } from './press-list.ts';
import { type Area, type Host, type View, viewTitles } from './view.ts';

/** Minimum lines of the upper band, without title rule; on tall terminals it takes a third of the height. */
const upperHeight = 6;
/** Lines of the upper band from which it has the three small charts. */
const sparksFrom = 6;

export class OverviewView implements View {
  readonly title = viewTitles.overview;
  readonly #host: Host;
  readonly #channels = new List<ChannelHealth>((channel) => channel.id);
  readonly #requests = new List<LogEntity>((row) => row.id);
  readonly #live: LiveRows;
  /** The figures as they were when the view was paused. */
  #frozen: Overview | undefined;
  #focus: 'channels' | 'requests' = 'requests';

  constructor(host: Host) {
    this.#host = host;
    this.#live = new LiveRows(host);
  }

  actions(): readonly Action[] {
    return ['up', 'pane', 'open', 'filter', 'pause', ...listActions.slice(1)];
  }
  get filter(): string {
    return this.#live.filter;
  }
  setFilter(text: string): void {
    this.#live.filter = text;
  }

  press(action: Action): void {
    this.#take();
    if (action === 'pane') this.#focus = this.#focus === 'channels' ? 'requests' : 'channels';
    else if (action === 'open') this.#open();
    else if (action === 'pause') this.#pause();
    else if (this.#focus === 'channels') pressList(this.#channels, action);
    else pressList(this.#requests, action);
  }

  #take(): void {
    const search = this.#live.filter.toLowerCase();
    this.#requests.setRows(this.#live.take().filter((row) => row.model_name !== ''));
    this.#channels.setRows((this.#overview()?.lanes ?? []).filter(({ name }) => name.toLowerCase().includes(search)));
  }

  #overview(): Overview | undefined {
    return this.#frozen ?? this.#host.live.overview;
  }

  #pause(): void {
    this.#live.togglePause();
    this.#frozen = this.#live.isPaused ? this.#host.live.overview : undefined;
  }

  #open(): void {
    if (this.#focus === 'channels') this.#host.goTo(viewTitles.channels, this.#channels.current()?.id);
    else this.#host.goTo(viewTitles.requests, this.#requests.current()?.id);
  }

  draw(area: Area): readonly Band[] {
    const overview = this.#overview();
    this.#take();
    const upper = Math.max(upperHeight, Math.floor(area.height / 3));
    const lower = area.height - 2 - upper;
    const [left = 0, right = 0] = shareWidth(area.width, [1, 1]);
    if (overview === undefined) {
      return [
        {
          panes: [{ lines: [line(span(this.#host.localize(texts.loading), 'dim'))], width: area.width - 2 }],
          height: area.height - 1,
        },
      ];
    }
    return [
      {
        height: upper,
        panes: [
          { title: this.#head(texts.traffic), lines: drawTraffic(overview, contentWidth(left), upper, this.#host), width: left },
          {
            title: this.#head(texts.spending),
            lines: drawSpending(overview, contentWidth(right), upper, this.#host),
            width: right,
          },
        ],
      },
      {
        height: lower,
        panes: [
          { title: this.#channelsTitle(overview.lanes), lines: this.#drawChannels(contentWidth(left), lower), width: left },
          {
            title: this.#liveTitle(),
            lines: this.#drawRequests(contentWidth(right), lower),
            width: right,
          },
        ],
      },
    ];
  }

  #head(text: { en: string; zh: string }): Line {
    return line(span(this.#host.localize(text)));
  }

  #liveTitle(): Line {
    const parts = [this.#host.localize(texts.live)];
    if (this.#live.filter !== '') parts.push(`/${this.#live.filter}`);
    if (this.#live.isPaused) parts.push(this.#host.localize(texts.waiting, { waiting: this.#live.waiting }));
    return line(span(parts.join(` ${this.#host.glyphs.separator} `), this.#focus === 'requests' ? 'current' : 'plain'));
  }

  #channelsTitle(channels: readonly ChannelHealth[]): Line {
    const enabled = channels.filter((channel) => channel.status === channelStatuses.enabled).length;
    const text = this.#host.localize(texts.channels, { enabled, all: channels.length });
    return line(span(text, this.#focus === 'channels' ? 'current' : 'plain'));
  }

  #drawChannels(width: number, height: number): readonly Line[] {
    if (this.#channels.rows.length === 0) return [line(span(this.#host.localize(texts.noChannels), 'dim'))];
    const { glyphs } = this.#host;
    const ticks = width >= 56 ? 20 : 10;
    const stateWidth = 8;
    const nameWidth = width - 2 - ticks - 2 - stateWidth;
    return this.#channels.window(height).rows.map(({ row, isCursor }) => {
      const state = healthSign(row, glyphs);
      const shown = line(
        span(state.glyph, state.tone),
        ` ${cell(row.name, nameWidth, glyphs)} `,
        ...drawTicks(row.recent, ticks, glyphs),
        span(` ${cell(this.#stateWord(row), stateWidth, glyphs, 'right')}`, state.tone === 'ok' ? 'plain' : state.tone),
      );
      return isCursor && this.#focus === 'channels' ? toned(shown, 'selected') : shown;
    });
  }

  #stateWord(channel: ChannelHealth): string {
    // The symbol before the name shows whether an administrator or the gateway disabled it.
    if (channel.status !== channelStatuses.enabled)
      return labelFor('status.channel', channelStatuses.disabled, this.#host.cells.language);
    if (channel.tripped) return this.#host.localize(texts.circuitOpen);
    return channel.response_time === 0 ? '' : `${(channel.response_time / 1000).toFixed(2)} s`;
  }

  #drawRequests(width: number, height: number): readonly Line[] {
    if (this.#requests.rows.length === 0) return [line(span(this.#host.localize(texts.noRequests), 'dim'))];
    const { glyphs, cells } = this.#host;
    return this.#requests.window(height).rows.map(({ row, isCursor }) => {
      const isError = row.type === logTypes.error;
      const cost = isError ? labelFor('logType', row.type, cells.language) : cells.money.cost(row.quota);
      const room = width - 8 - 1 - 1 - widthOf(line(cost));
      const shown = line(
        span(formatClock(row.created_at), 'dim'),
        ` ${cell(row.model_name, room, glyphs)} `,
        span(cost, isError ? 'error' : 'money'),
      );
      return isCursor && this.#focus === 'requests' && !this.#requests.isFollowing ? toned(shown, 'selected') : shown;
    });
  }
}

function drawTraffic(overview: Overview, width: number, height: number, host: Host): readonly Line[] {
  const minutes = overview.requests_by_minute;
  const sparks = height < sparksFrom ? [] : drawSparks(overview, width, host);
  const chart = columnChart(minutes, width, Math.max(1, height - 2 - sparks.length), host.glyphs).map((row) =>
    line(span(row, 'info')),
  );
  const all = overview.succeeded + overview.failed;
  const errors = all === 0 ? '' : `   ${host.localize(texts.failed)} ${((100 * overview.failed) / all).toFixed(2)} %`;
  const cached = overview.prompt_tokens === 0 ? '' : `${((100 * overview.cached_tokens) / overview.prompt_tokens).toFixed(1)} %`;
  return [
    ...chart,
    line(span(`${host.localize(texts.peak)} ${Math.max(0, ...minutes)}   ${host.localize(texts.now)} ${overview.rpm}`)),
    line(
      span(
        `${host.localize(texts.today)} ${overview.requests_today}${errors}${cached === '' ? '' : `   ${host.localize(texts.cached)} ${cached}`}`,
        'dim',
      ),
    ),
    ...sparks,
  ];
}

/** Tokens, cost and errors of the same hour, one line each, with their sums. */
function drawSparks(overview: Overview, width: number, host: Host): readonly Line[] {
  const { money } = host.cells;
  const rows = [
    { title: texts.tokens, values: overview.tokens_by_minute, tone: 'info', write: formatTokenCount },
    { title: texts.cost, values: overview.quota_by_minute, tone: 'ok', write: money.total },
    { title: texts.errors, values: overview.failed_by_minute, tone: 'error', write: String },
  ] as const;
  return rows.map(({ title, values, tone, write }) => {
    const name = cell(host.localize(title), 7, host.glyphs);
    const sum = cell(write(values.reduce((all, value) => all + value, 0)), 10, host.glyphs, 'right');
    const room = width - widthOf(line(name, sum)) - 1;
    const [chart = ''] = columnChart(values, room, 1, host.glyphs);
    return line(name, span(cell(chart, room, host.glyphs), tone), ` ${sum}`);
  });
}

function drawSpending(overview: Overview, width: number, height: number, host: Host): readonly Line[] {
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
  loading: { en: 'Loading', zh: '加载中' },
  waiting: { en: 'paused, {waiting} new', zh: '已暂停，{waiting} 条新记录' },
  traffic: { en: 'Requests/min, last hour', zh: '每分钟请求，近一小时' },
  spending: { en: 'Spent today', zh: '今日消费' },
  live: { en: 'Live', zh: '实时' },
  channels: { en: 'Channels: {enabled} of {all} enabled', zh: '渠道：已启用 {enabled}/{all}' },
  circuitOpen: { en: 'Circuit open', zh: '已熔断' },
  noChannels: { en: 'No channels yet: turnpike channels add', zh: '还没有渠道：turnpike channels add' },
  noRequests: { en: 'No requests yet', zh: '还没有请求' },
  nothingSpent: { en: 'Nothing spent yet', zh: '暂无消费' },
  peak: { en: 'peak', zh: '峰值' },
  now: { en: 'now', zh: '当前' },
  failed: { en: 'failed', zh: '失败' },
  today: { en: 'today', zh: '今日' },
  cached: { en: 'cached', zh: '缓存命中' },
  tokens: { en: 'tokens', zh: 'Token' },
  cost: { en: 'cost', zh: '费用' },
  errors: { en: 'errors', zh: '失败' },
} as const;

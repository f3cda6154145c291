/** View 1: traffic, spending, channels and the last requests at a glance. */
import type { LogEntity } from '../../core/contract/entities.ts';
import type { ChannelHealth, Overview } from '../../core/contract/overview.ts';
import { logTypes } from '../../core/vocabulary/log-types.ts';
import { channelStatuses } from '../../core/vocabulary/statuses.ts';
import { type Band, contentWidth, shareWidth } from '../kit/frame.ts';
import { cell, type Line, line, span, toned, widthOf } from '../kit/lines.ts';
import { List } from '../kit/list.ts';
import { labelFor } from '../show/labels.ts';
import { formatRecent, formatResponse } from '../show/times.ts';
import { drawTicks, healthSign } from './channel-health.ts';
import { type Action, listActions } from './keys.ts';
import { LiveRows } from './live-rows.ts';
import { drawSpending, drawTraffic } from './overview-charts.ts';
import { pressList } from './press-list.ts';
import { type Area, type Host, type View, viewTitles } from './view.ts';

/**
 * Minimum lines of the upper band, without title rule; on tall terminals it takes a third of the
 * height.
 */
const upperHeight = 6;

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
    this.#channels.setRows(
      (this.#overview()?.channels ?? []).filter(({ name }) => name.toLowerCase().includes(search)),
    );
  }

  #overview(): Overview | undefined {
    return this.#frozen ?? this.#host.live.overview;
  }

  #pause(): void {
    this.#live.togglePause();
    this.#frozen = this.#live.isPaused ? this.#host.live.overview : undefined;
  }

  #open(): void {
    if (this.#focus === 'channels')
      this.#host.goTo(viewTitles.channels, this.#channels.current()?.id);
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
          panes: [
            {
              lines: [
                line(
                  span(
                    this.#host.localize(
                      this.#host.live.failure === undefined ? texts.loading : texts.nothing,
                    ),
                    'dim',
                  ),
                ),
              ],
              width: area.width - 2,
            },
          ],
          height: area.height - 1,
        },
      ];
    }
    return [
      {
        height: upper,
        panes: [
          {
            title: this.#head(texts.traffic),
            lines: drawTraffic(overview, contentWidth(left), upper, this.#host),
            width: left,
          },
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
          {
            title: this.#channelsTitle(overview.channels),
            lines: this.#drawChannels(contentWidth(left), lower),
            width: left,
          },
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
    const { isPaused, waiting } = this.#live;
    if (isPaused)
      parts.push(this.#host.localize(waiting === 0 ? texts.paused : texts.waiting, { waiting }));
    return line(
      span(
        parts.join(` ${this.#host.glyphs.separator} `),
        this.#focus === 'requests' ? 'current' : 'plain',
      ),
    );
  }

  #channelsTitle(channels: readonly ChannelHealth[]): Line {
    const enabled = channels.filter((channel) => channel.status === channelStatuses.enabled).length;
    const text = this.#host.localize(texts.channels, { enabled, all: channels.length });
    return line(span(text, this.#focus === 'channels' ? 'current' : 'plain'));
  }

  #drawChannels(width: number, height: number): readonly Line[] {
    if (this.#channels.rows.length === 0)
      return [line(span(this.#host.localize(texts.noChannels), 'dim'))];
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
        span(
          ` ${cell(this.#stateWord(row), stateWidth, glyphs, 'right')}`,
          state.tone === 'ok' ? 'plain' : state.tone,
        ),
      );
      return isCursor && this.#focus === 'channels' ? toned(shown, 'selected') : shown;
    });
  }

  #stateWord(channel: ChannelHealth): string {
    // The symbol before the name shows whether an administrator or the gateway disabled it.
    if (channel.status !== channelStatuses.enabled)
      return labelFor('status.channel', channelStatuses.disabled, this.#host.cells.language);
    if (channel.tripped) return this.#host.localize(texts.circuitOpen);
    return formatResponse(channel.response_time);
  }

  #drawRequests(width: number, height: number): readonly Line[] {
    if (this.#requests.rows.length === 0)
      return [line(span(this.#host.localize(texts.noRequests), 'dim'))];
    const { glyphs, cells } = this.#host;
    return this.#requests.window(height).rows.map(({ row, isCursor }) => {
      const isError = row.type === logTypes.error;
      const cost = isError
        ? labelFor('logType', row.type, cells.language)
        : cells.money.cost(row.quota);
      const room = width - 8 - 1 - 1 - widthOf(line(cost));
      const shown = line(
        span(formatRecent(row.created_at, cells.now), 'dim'),
        ` ${cell(row.model_name, room, glyphs)} `,
        span(cost, isError ? 'error' : 'money'),
      );
      return isCursor && this.#focus === 'requests' && !this.#requests.isFollowing
        ? toned(shown, 'selected')
        : shown;
    });
  }
}

const texts = {
  nothing: { en: 'No figures: the gateway gave none so far', zh: '暂无数据：尚未从网关取得' },
  loading: { en: 'Loading', zh: '加载中' },
  paused: { en: 'paused', zh: '已暂停' },
  waiting: { en: 'paused, {waiting} new', zh: '已暂停，{waiting} 条新记录' },
  traffic: { en: 'Requests/min, last hour', zh: '每分钟请求，近一小时' },
  spending: { en: 'Spent today', zh: '今日消费' },
  live: { en: 'Live', zh: '实时' },
  channels: { en: 'Channels: {enabled} of {all} enabled', zh: '渠道：已启用 {enabled}/{all}' },
  circuitOpen: { en: 'Circuit open', zh: '已熔断' },
  noChannels: {
    en: 'No channels yet: turnpike channels add',
    zh: '还没有渠道：turnpike channels add',
  },
  noRequests: { en: 'No requests yet', zh: '还没有请求' },
} as const;

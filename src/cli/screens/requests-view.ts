/** View 2: the live log, newest on top, with the price and the route of each request. */
import type { LogEntity } from '../../core/contract/entities.ts';
import { readLog } from '../../core/logs/log-view.ts';
import { formatCount } from '../../core/pricing/format.ts';
import type { Text } from '../base/text.ts';
import { type Band, contentWidth, type Pane, shareWidth } from '../kit/frame.ts';
import { type Line, line, span } from '../kit/lines.ts';
import { List } from '../kit/list.ts';
import { labelFor, toneFor } from '../show/labels.ts';
import { formatRecent } from '../show/times.ts';
import { CardPane } from './card-pane.ts';
import { drawList, type ScreenColumn } from './columns.ts';
import { type Action, listActions } from './keys.ts';
import { LiveRows } from './live-rows.ts';
import { pressList } from './press-list.ts';
import { drawRequest, type RouteExplanation } from './request-detail.ts';
import { wideFrom } from './sizes.ts';
import { type Area, type Host, type View, viewTitles } from './view.ts';

export class RequestsView implements View {
  readonly title = viewTitles.requests;
  readonly #host: Host;
  readonly #list = new List<LogEntity>((row) => row.id);
  readonly #live: LiveRows;
  readonly #card: CardPane;
  #isOpen = false;
  #explained: { readonly id: number; readonly route: RouteExplanation } | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#live = new LiveRows(host);
    this.#card = new CardPane(host);
  }

  get filter(): string {
    return this.#live.filter;
  }
  setFilter(text: string): void {
    this.#live.filter = text;
  }
  focus(key: number): void {
    this.#isOpen = true;
    this.#take();
    this.#list.moveTo(key);
  }

  actions(): readonly Action[] {
    if (this.#isOpen) return this.#card.actions(['copy', 'explain', 'pause']);
    return ['up', 'open', 'filter', 'sort', 'copy', 'explain', 'pause', ...listActions];
  }

  async press(action: Action): Promise<void> {
    this.#take();
    const row = this.#list.current();
    if (action === 'open' && row !== undefined) {
      this.#isOpen = true;
      this.#card.open(row.id);
      this.#list.hold();
    } else if (this.#isOpen && this.#card.press(action)) return;
    else if (action === 'back') this.#isOpen = false;
    else if (action === 'previous') this.#list.move(-1);
    else if (action === 'next') this.#list.move(1);
    else if (action === 'pause') this.#live.togglePause();
    else if (action === 'sort') this.#live.nextOrder();
    else if (action === 'copy' && row !== undefined) this.#copy(row);
    else if (action === 'explain' && row !== undefined) await this.#explain(row);
    else pressList(this.#list, action);
  }

  #copy(row: LogEntity): void {
    const id = row.request_id || String(row.id);
    this.#host.copy(id);
    this.#host.showMessage(this.#host.localize(texts.copied, { id }), 'ok');
  }

  async #explain(row: LogEntity): Promise<void> {
    const group = readLog(row).group || 'default';
    this.#explained = {
      id: row.id,
      route: await this.#host.client.routes.explain({ model: row.model_name, group }),
    };
    this.#isOpen = true;
  }

  status(): Line {
    const { filter: typed } = this.#live;
    const filter = typed === '' ? '' : `${this.#host.localize(texts.filter)} ${typed}   `;
    const state = this.#live.isPaused
      ? span(this.#host.localize(texts.paused), 'warn')
      : span(`${this.#host.glyphs.on} ${this.#host.localize(texts.live)}`, 'ok');
    return line(span(filter, 'info'), state);
  }

  #take(): void {
    this.#list.setRows(this.#live.take());
  }

  draw(area: Area): readonly Band[] {
    this.#take();
    const isWide = area.width >= wideFrom;
    const height = area.height - 1;
    const row = this.#list.current();
    const wholeWidth = area.width - 2;
    if (this.#isOpen && !isWide && row !== undefined) {
      const path = `${this.#host.localize(this.title)} ${this.#host.glyphs.inside} ${row.request_id || row.id}`;
      const pane = this.#drawDetail(row, path, { width: wholeWidth, height }, area);
      return [{ height: Math.max(height, pane.lines.length), panes: [pane] }];
    }
    const [left = wholeWidth, right = 0] = isWide ? shareWidth(area.width, [56, 44]) : [wholeWidth];
    const lines =
      this.#list.rows.length === 0
        ? [line(span(this.#host.localize(this.#emptyText()), 'dim'))]
        : drawList(
            this.#list,
            this.#columns(),
            { width: contentWidth(left), height },
            this.#host.glyphs,
          );
    const list = { title: this.#listTitle(), lines, width: left };
    if (!isWide) return [{ height, panes: [list] }];
    const size = { width: right, height };
    const detail =
      row === undefined
        ? { lines: [], width: right }
        : this.#drawDetail(row, row.request_id || `#${row.id}`, size, area);
    return [{ height, panes: [list, detail] }];
  }

  #emptyText(): Text {
    if (this.#live.filter !== '') return texts.noMatch;
    const { overview, failure } = this.#host.live;
    return overview === undefined && failure === undefined ? texts.loading : texts.none;
  }

  #drawDetail(
    row: LogEntity,
    title: string,
    size: { width: number; height: number },
    area: Area,
  ): Pane {
    const explained = this.#explained?.id === row.id ? this.#explained.route : undefined;
    const lines = drawRequest(row, contentWidth(size.width), this.#host, explained);
    return this.#card.draw({ key: row.id, title, lines }, size, area, this.#isOpen);
  }

  /**
   * If the list is paused or the cursor is not at the top, the title shows the number of new rows
   * above.
   */
  #listTitle(): Line {
    const parts = [this.#host.localize(this.title)];
    if (this.#live.order !== 'newest')
      parts.push(
        this.#host.localize(this.#live.order === 'cost' ? texts.byCost : texts.byDuration),
      );
    if (this.#live.filter !== '') parts.push(`/${this.#live.filter}`);
    const { isPaused, waiting } = this.#live;
    if (isPaused)
      parts.push(this.#host.localize(waiting === 0 ? texts.paused : texts.waiting, { waiting }));
    return line(
      span(parts.join(` ${this.#host.glyphs.separator} `), this.#isOpen ? 'plain' : 'current'),
    );
  }

  #columns(): readonly ScreenColumn<LogEntity>[] {
    const { glyphs, cells } = this.#host;
    const localize = (text: { en: string; zh: string }) => this.#host.localize(text);
    return [
      {
        title: localize(texts.time),
        width: 8,
        value: (row) => formatRecent(row.created_at, cells.now),
        tone: () => 'dim',
      },
      { title: localize(texts.user), width: 9, value: (row) => row.username },
      {
        title: localize(texts.model),
        minimum: 17,
        value: (row) =>
          row.model_name !== ''
            ? row.model_name
            : `${labelFor('logType', row.type, cells.language)}: ${row.content}`,
        tone: (row) => toneFor('logType', row.type),
      },
      {
        title: localize(texts.channel),
        width: 7,
        // After retries the last two.
        value: (row) => readLog(row).channels.slice(-2).join(` ${glyphs.arrow} `),
        expendable: 4,
      },
      {
        title: `${localize(texts.in)} ${glyphs.arrow} ${localize(texts.out)}`,
        width: 16,
        align: 'right',
        value: (row) => {
          const { isRequest, input } = readLog(row);
          if (!isRequest) return '';
          return `${formatCount(input)} ${glyphs.arrow} ${formatCount(row.completion_tokens)}`;
        },
        expendable: 3,
      },
      {
        title: localize(texts.seconds),
        width: 5,
        align: 'right',
        value: (row) => {
          const { isRequest, isError, secondsText } = readLog(row);
          return isRequest || isError ? secondsText : '';
        },
        expendable: 2,
      },
      {
        title: localize(texts.first),
        width: 5,
        align: 'right',
        value: (row) => readLog(row).firstToken?.toFixed(2) ?? '',
        expendable: 1,
      },
      {
        title: localize(texts.cost),
        width: 10,
        align: 'right',
        value: (row) => {
          const { isRequest, isError, status } = readLog(row);
          // A failed request has no cost.
          if (isError) return String(status ?? localize(texts.failed));
          return isRequest || row.quota !== 0 ? cells.money.cost(row.quota) : '';
        },
        tone: (row) => (readLog(row).isError ? 'error' : 'money'),
      },
    ];
  }
}

const texts = {
  time: { en: 'time', zh: '时间' },
  user: { en: 'user', zh: '用户' },
  model: { en: 'model', zh: '模型' },
  channel: { en: 'channel', zh: '渠道' },
  in: { en: 'in', zh: '输入' },
  out: { en: 'out', zh: '输出' },
  seconds: { en: 's', zh: '秒' },
  first: { en: 'first', zh: '首字' },
  cost: { en: 'cost', zh: '费用' },
  byCost: { en: 'by cost', zh: '按费用' },
  byDuration: { en: 'by duration', zh: '按用时' },
  failed: { en: 'failed', zh: '失败' },
  loading: { en: 'Loading', zh: '加载中' },
  none: {
    en: 'No requests yet: they appear here once completed',
    zh: '还没有请求：请求完成后会立即显示在这里',
  },
  noMatch: { en: 'Nothing matches the filter', zh: '没有符合条件的请求' },
  filter: { en: 'filter:', zh: '筛选：' },
  live: { en: 'live', zh: '实时' },
  paused: { en: 'paused', zh: '已暂停' },
  waiting: { en: 'paused, {waiting} new above', zh: '已暂停，上方有 {waiting} 条新记录' },
  copied: { en: 'Copied {id}', zh: '{id} 已复制' },
} as const;

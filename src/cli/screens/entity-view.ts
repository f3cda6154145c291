/** Views 3 to 7: a list of things with a card beside or behind it, and what can be done to them. */

import type { Text } from '../base/text.ts';
import { type Band, contentWidth, shareWidth } from '../kit/frame.ts';
import type { Glyphs } from '../kit/glyphs.ts';
import { cell, type Line, line, span } from '../kit/lines.ts';
import { List } from '../kit/list.ts';
import type { Tone } from '../kit/tones.ts';
import { type Column, plainText } from '../show/table.ts';
import { drawList, type ScreenColumn } from './columns.ts';
import { type Action, listActions } from './keys.ts';
import { pressList } from './press-list.ts';
import { wideFrom } from './sizes.ts';
import type { Area, Host, View } from './view.ts';

/** What makes one kind of thing a view. */
export interface EntitySpec<Row> {
  readonly title: Text;
  readonly columns: readonly Column<Row>[];
  keyOf(row: Row): number;
  nameOf(row: Row): string;
  /** A sign before the row that tells its state without colour. */
  readonly state?: (row: Row, glyphs: Glyphs) => { readonly glyph: string; readonly tone: Tone };
  /** The first hundred rows that match the filter. */
  load(host: Host, filter: string): Promise<{ readonly items: readonly Row[]; readonly total: number }>;
  /** Switches rows on or off, after a question. */
  readonly toggle?: {
    isOn(row: Row): boolean;
    apply(host: Host, row: Row, on: boolean): Promise<void>;
  };
  readonly remove?: (host: Host, row: Row) => Promise<void>;
  /** Tries a row and says how it went. */
  readonly test?: (host: Host, row: Row) => Promise<void>;
  /** More lines on the card. */
  readonly card?: (host: Host, row: Row, width: number) => readonly Line[];
}

export class EntityView<Row> implements View {
  readonly title: Text;
  readonly #host: Host;
  readonly #spec: EntitySpec<Row>;
  readonly #list: List<Row>;
  #total = 0;
  #filter = '';
  #isOpen = false;
  #isLoaded = false;
  /** Counts loads: an answer that a later one has overtaken is dropped. */
  #load = 0;

  constructor(host: Host, spec: EntitySpec<Row>) {
    this.#host = host;
    this.#spec = spec;
    this.title = spec.title;
    this.#list = new List<Row>((row) => spec.keyOf(row));
  }

  get filter(): string {
    return this.#filter;
  }
  setFilter(text: string): void {
    this.#filter = text;
    this.enter().catch((error: Error) => this.#host.tell(error.message, 'error'));
  }
  focus(key: number): void {
    this.#list.moveTo(key);
    this.#isOpen = true;
  }

  actions(): readonly Action[] {
    const own: Action[] = this.#isOpen ? ['back', 'previous', 'next'] : ['up', 'open', 'select'];
    if (this.#spec.test !== undefined) own.push('test');
    if (this.#spec.toggle !== undefined) own.push('toggle');
    if (this.#spec.remove !== undefined) own.push('remove');
    return this.#isOpen ? own : [...own, 'filter', 'reload', ...listActions];
  }

  async enter(): Promise<void> {
    const mine = ++this.#load;
    const { items, total } = await this.#spec.load(this.#host, this.#filter);
    if (mine !== this.#load) return;
    this.#list.setRows(items);
    this.#total = total;
    this.#isLoaded = true;
    this.#host.redraw();
  }

  async press(action: Action): Promise<void> {
    const row = this.#list.current();
    if (action === 'back') this.#isOpen = false;
    else if (action === 'open' && row !== undefined) this.#isOpen = true;
    else if (action === 'previous') this.#list.move(-1);
    else if (action === 'next') this.#list.move(1);
    else if (action === 'select') this.#list.toggleSelected();
    else if (action === 'reload') await this.enter();
    else if (action === 'toggle') this.#toggle();
    else if (action === 'remove') this.#remove();
    else if (action === 'test' && row !== undefined) await this.#spec.test?.(this.#host, row);
    else pressList(this.#list, action);
  }

  #toggle(): void {
    const { toggle } = this.#spec;
    const rows = this.#list.chosen();
    const first = rows[0];
    if (toggle === undefined || first === undefined) return;
    const on = !toggle.isOn(first);
    this.#ask(on ? texts.enable : texts.disable, rows, (row) => toggle.apply(this.#host, row, on));
  }

  #remove(): void {
    const { remove } = this.#spec;
    if (remove !== undefined) this.#ask(texts.remove, this.#list.chosen(), (row) => remove(this.#host, row));
  }

  /** A dangerous key asks first, and the question names things and their number. */
  #ask(verb: Text, rows: readonly Row[], step: (row: Row) => Promise<void>): void {
    const first = rows[0];
    if (first === undefined) return;
    const name = rows.length === 1 ? this.#spec.nameOf(first) : `${rows.length} ${this.#host.say(this.title)}`;
    this.#host.ask(this.#host.say(verb, { name }), async () => {
      try {
        for (const row of rows) await step(row);
        this.#list.clearSelected();
      } finally {
        await this.enter(); // also after a failure in the middle: the list tells what was done
      }
    });
  }

  draw(area: Area): readonly Band[] {
    const height = area.height - 1;
    const wholeWidth = area.width - 2;
    const isWide = area.width >= wideFrom;
    const row = this.#list.current();
    if (this.#isOpen && !isWide && row !== undefined) {
      const title = line(`${this.#host.say(this.title)} ${this.#host.glyphs.inside} ${this.#spec.nameOf(row)}`);
      return [{ height, panes: [{ title, lines: this.#drawCard(row, contentWidth(wholeWidth)), width: wholeWidth }] }];
    }
    const [left = wholeWidth, right = 0] = isWide ? shareWidth(area.width, [62, 38]) : [wholeWidth];
    const list = { title: this.#listTitle(), lines: this.#drawRows(contentWidth(left), height), width: left };
    if (!isWide) return [{ height, panes: [list] }];
    const title = line(row === undefined ? '' : this.#spec.nameOf(row));
    const lines = row === undefined ? [] : this.#drawCard(row, contentWidth(right));
    return [{ height, panes: [list, { title, lines, width: right }] }];
  }

  #listTitle(): Line {
    const { rows, selectedKeys } = this.#list;
    const count =
      rows.length < this.#total ? this.#host.say(texts.some, { shown: rows.length, total: this.#total }) : String(rows.length);
    const parts = [`${this.#host.say(this.title)} ${count}`];
    if (selectedKeys.size > 0) parts.push(this.#host.say(texts.selected, { count: selectedKeys.size }));
    if (this.#filter !== '') parts.push(`/${this.#filter}`);
    return line(parts.join(` ${this.#host.glyphs.separator} `));
  }

  #drawRows(width: number, height: number): readonly Line[] {
    if (!this.#isLoaded) return [line(span(this.#host.say(texts.loading), 'dim'))];
    if (this.#list.rows.length === 0)
      return [line(span(this.#host.say(this.#filter === '' ? texts.none : texts.noMatch), 'dim'))];
    const { cells } = this.#host;
    const columns: readonly ScreenColumn<Row>[] = this.#spec.columns
      .filter((column) => !column.cardOnly && column.width !== 0)
      .map((column) => ({
        title: this.#host.say(column.title),
        value: (row: Row) => plainText(column.value(row, cells)),
        ...(column.width === undefined ? {} : { width: column.width }),
        ...(column.align === undefined ? {} : { align: column.align }),
        ...(column.tone === undefined ? {} : { tone: column.tone }),
        ...(column.expendable === undefined ? {} : { expendable: column.expendable }),
      }));
    const { state } = this.#spec;
    const { glyphs } = this.#host;
    const signs: readonly ScreenColumn<Row>[] =
      state === undefined
        ? []
        : [{ title: '', width: 1, value: (row) => state(row, glyphs).glyph, tone: (row) => state(row, glyphs).tone }];
    return drawList(this.#list, [...signs, ...columns], { width, height }, glyphs);
  }

  #drawCard(row: Row, width: number): readonly Line[] {
    const { cells, glyphs } = this.#host;
    const shown = this.#spec.columns
      .map(
        (column) =>
          ({
            title: this.#host.say(column.title),
            value: plainText(column.value(row, cells)),
            tone: column.tone?.(row) ?? 'plain',
          }) as const,
      )
      .filter(({ value }) => value !== '');
    const lines = shown.map(({ title, value, tone }) => line(span(`${cell(title, 14, glyphs)} `, 'dim'), span(value, tone)));
    return [...lines, ...(this.#spec.card?.(this.#host, row, width) ?? [])];
  }
}

const texts = {
  enable: { en: 'enable {name}?', zh: '启用 {name}？' },
  disable: { en: 'disable {name}?', zh: '停用 {name}？' },
  remove: { en: 'delete {name}?', zh: '删除 {name}？' },
  some: { en: '{shown} of {total}', zh: '{shown}/{total}' },
  selected: { en: '{count} selected', zh: '已选 {count} 项' },
  loading: { en: 'Loading', zh: '加载中' },
  none: { en: 'Nothing here yet', zh: '暂无内容' },
  noMatch: { en: 'Nothing matches the filter', zh: '没有符合条件的内容' },
} as const;

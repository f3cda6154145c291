/** Views 3 to 7: a list of entities with a card beside it (or instead of it), and actions on them. */

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

/** Definition of the view of one kind of entity. */
export interface EntitySpec<Row> {
  readonly title: Text;
  readonly columns: readonly Column<Row>[];
  keyOf(row: Row): number;
  nameOf(row: Row): string;
  /** A symbol before the row that shows its state without colour. */
  readonly state?: (row: Row, glyphs: Glyphs) => { readonly glyph: string; readonly tone: Tone };
  /** The first hundred rows that match the filter. */
  load(host: Host, filter: string): Promise<{ readonly items: readonly Row[]; readonly total: number }>;
  /** Enables or disables rows, after a confirmation. */
  readonly toggle?: {
    isOn(row: Row): boolean;
    apply(host: Host, row: Row, on: boolean): Promise<void>;
  };
  readonly remove?: (host: Host, row: Row) => Promise<void>;
  /** Tests a row and shows the result. */
  readonly test?: (host: Host, row: Row) => Promise<void>;
  /** Additional lines of the card. */
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
  /** Number of the last load: the result of an earlier one is dropped. */
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
    this.enter().catch((error: Error) => this.#host.showMessage(error.message, 'error'));
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
    const rows = this.#list.selectedRows();
    const first = rows[0];
    if (toggle === undefined || first === undefined) return;
    const on = !toggle.isOn(first);
    this.#ask(on ? texts.enable : texts.disable, rows, (row) => toggle.apply(this.#host, row, on));
  }

  #remove(): void {
    const { remove } = this.#spec;
    if (remove !== undefined) this.#ask(texts.remove, this.#list.selectedRows(), (row) => remove(this.#host, row));
  }

  /** Asks before a dangerous action. The question names the row, or the number of rows. */
  #ask(verb: Text, rows: readonly Row[], step: (row: Row) => Promise<void>): void {
    const first = rows[0];
    if (first === undefined) return;
    const name =
      rows.length === 1
        ? this.#spec.nameOf(first)
        : this.#host.localize(texts.many, { count: rows.length, title: this.#host.localize(this.title).toLowerCase() });
    this.#host.ask(this.#host.localize(verb, { name }), async () => {
      try {
        for (const row of rows) await step(row);
        this.#list.clearSelected();
      } finally {
        await this.enter(); // also after a partial failure: the list shows what was done
      }
    });
  }

  draw(area: Area): readonly Band[] {
    const height = area.height - 1;
    const wholeWidth = area.width - 2;
    const isWide = area.width >= wideFrom;
    const row = this.#list.current();
    if (this.#isOpen && !isWide && row !== undefined) {
      const title = line(`${this.#host.localize(this.title)} ${this.#host.glyphs.inside} ${this.#spec.nameOf(row)}`);
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
      rows.length < this.#total
        ? this.#host.localize(texts.some, { shown: rows.length, total: this.#total })
        : String(rows.length);
    const parts = [`${this.#host.localize(this.title)} ${count}`];
    if (selectedKeys.size > 0) parts.push(this.#host.localize(texts.selected, { count: selectedKeys.size }));
    if (this.#filter !== '') parts.push(`/${this.#filter}`);
    return line(parts.join(` ${this.#host.glyphs.separator} `));
  }

  #drawRows(width: number, height: number): readonly Line[] {
    if (!this.#isLoaded) return [line(span(this.#host.localize(texts.loading), 'dim'))];
    if (this.#list.rows.length === 0)
      return [line(span(this.#host.localize(this.#filter === '' ? texts.none : texts.noMatch), 'dim'))];
    const { cells } = this.#host;
    const columns: readonly ScreenColumn<Row>[] = this.#spec.columns
      .filter((column) => !column.cardOnly && column.width !== 0)
      .map((column) => ({
        title: this.#host.localize(column.title),
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
            title: this.#host.localize(column.title),
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
  many: { en: '{count} {title}', zh: '{count} 个{title}' },
  some: { en: '{shown} of {total}', zh: '{shown}/{total}' },
  selected: { en: '{count} selected', zh: '已选 {count} 项' },
  loading: { en: 'Loading', zh: '加载中' },
  none: { en: 'Nothing here yet', zh: '暂无内容' },
  noMatch: { en: 'Nothing matches the filter', zh: '没有符合条件的内容' },
} as const;

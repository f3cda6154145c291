/** Views 3 to 7: a list of entities with a card beside it (or instead of it), and actions on them. */

import type { Text } from '../base/text.ts';
import { type Band, contentWidth, shareWidth } from '../kit/frame.ts';
import { type Line, line, span } from '../kit/lines.ts';
import { List } from '../kit/list.ts';
import { drawList } from './columns.ts';
import { drawCard, screenColumns } from './entity-drawing.ts';
import { askForField, FieldList } from './entity-fields.ts';
import type { EntitySpec } from './entity-spec.ts';
import { type Action, listActions } from './keys.ts';
import { pressList } from './press-list.ts';
import { wideFrom } from './sizes.ts';
import type { Area, Host, View } from './view.ts';

/** Pages that are loaded to show the rows of one tag. */
const mostPages = 50;

export class EntityView<Row> implements View {
  readonly title: Text;
  readonly #host: Host;
  readonly #spec: EntitySpec<Row>;
  readonly #list: List<Row>;
  /** The rows of the last load, of all tags. */
  #loaded: readonly Row[] = [];
  /** The only tag shown; undefined: any. */
  #tag: string | undefined;
  /** Present while a row is edited. */
  #fields: FieldList<Row> | undefined;
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
    if (this.#fields !== undefined) return this.#fields.actions();
    const own: Action[] = this.#isOpen ? ['back', 'previous', 'next'] : ['up', 'open', 'select'];
    if (this.#spec.test !== undefined) own.push('test');
    if (this.#spec.toggle !== undefined) own.push('toggle');
    if (this.#spec.fields !== undefined) own.push('edit');
    if (this.#spec.weight !== undefined) own.push('weight');
    if (!this.#isOpen) own.push('filter');
    if (!this.#isOpen && this.#spec.tagOf !== undefined) own.push('tag');
    if (this.#spec.remove !== undefined) own.push('remove');
    return this.#isOpen ? own : [...own, 'reload', ...listActions];
  }

  async enter(): Promise<void> {
    const mine = ++this.#load;
    const { items, total } = await this.#spec.load(this.#host, this.#filter, 0);
    if (mine !== this.#load) return;
    this.#loaded = items;
    this.#total = total;
    this.#showTag();
    this.#isLoaded = true;
    this.#host.redraw();
  }

  async press(action: Action): Promise<void> {
    const row = this.#list.current();
    if (this.#fields !== undefined && row !== undefined && action !== 'back') {
      this.#fields.press(action, row, this.#spec.nameOf(row), () => this.enter());
    } else if (this.#fields !== undefined) this.#fields = undefined;
    else if (action === 'back') this.#isOpen = false;
    else if (action === 'open' && row !== undefined) this.#isOpen = true;
    else if (action === 'previous') this.#list.move(-1);
    else if (action === 'next') this.#list.move(1);
    else if (action === 'select') this.#list.toggleSelected();
    else if (action === 'reload') await this.enter();
    else if (action === 'toggle') this.#toggle();
    else if (action === 'remove') this.#remove();
    else if (action === 'edit') this.#edit();
    else if (action === 'weight') this.#changeWeight();
    else if (action === 'tag') await this.#nextTag();
    else if (action === 'test' && row !== undefined) await this.#spec.test?.(this.#host, row);
    else pressList(this.#list, action);
  }

  #edit(): void {
    if (this.#spec.fields === undefined || this.#list.current() === undefined) return;
    this.#list.hold();
    this.#fields = new FieldList(this.#host, this.#spec.fields);
  }

  #changeWeight(): void {
    const { weight } = this.#spec;
    const rows = this.#list.selectedRows();
    if (weight !== undefined) askForField(this.#host, weight, { rows, name: this.#nameOf(rows), saved: () => this.enter() });
  }

  /** The rows of the further pages. */
  async #loadRest(): Promise<void> {
    const mine = this.#load;
    for (let page = 1; page < mostPages && this.#loaded.length < this.#total; page += 1) {
      const { items } = await this.#spec.load(this.#host, this.#filter, page);
      if (mine !== this.#load || items.length === 0) return;
      this.#loaded = [...this.#loaded, ...items];
    }
  }

  /** Any tag, then each tag, then the rows without one. */
  async #nextTag(): Promise<void> {
    const { tagOf } = this.#spec;
    if (tagOf === undefined) return;
    await this.#loadRest();
    const tags = [...new Set(this.#loaded.map(tagOf))].sort((a, b) => (a === '' ? 1 : b === '' ? -1 : a < b ? -1 : 1));
    const shown = [undefined, ...tags];
    this.#tag = shown[(shown.indexOf(this.#tag) + 1) % shown.length];
    this.#list.clearSelected(); // actions must not apply to rows that are not shown
    this.#showTag();
  }

  #showTag(): void {
    const { tagOf } = this.#spec;
    this.#list.setRows(
      tagOf === undefined || this.#tag === undefined ? this.#loaded : this.#loaded.filter((row) => tagOf(row) === this.#tag),
    );
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
    if (rows.length === 0) return;
    this.#host.ask(verb, this.#nameOf(rows), async () => {
      try {
        for (const row of rows) await step(row);
        this.#list.clearSelected();
      } finally {
        await this.enter(); // also after a partial failure: the list shows what was done
      }
    });
  }

  #nameOf(rows: readonly Row[]): string {
    const first = rows[0];
    if (rows.length === 1 && first !== undefined) return this.#spec.nameOf(first);
    return this.#host.localize(texts.many, { count: rows.length, title: this.#host.localize(this.title).toLowerCase() });
  }

  draw(area: Area): readonly Band[] {
    const height = area.height - 1;
    const wholeWidth = area.width - 2;
    const isWide = area.width >= wideFrom;
    const row = this.#list.current();
    if (this.#fields !== undefined && row !== undefined) {
      return this.#fields.draw(row, [this.#host.localize(this.title), this.#spec.nameOf(row)], area);
    }
    if (this.#isOpen && !isWide && row !== undefined) {
      const title = line(`${this.#host.localize(this.title)} ${this.#host.glyphs.inside} ${this.#spec.nameOf(row)}`);
      return [
        { height, panes: [{ title, lines: drawCard(this.#spec, row, this.#host, contentWidth(wholeWidth)), width: wholeWidth }] },
      ];
    }
    const [left = wholeWidth, right = 0] = isWide ? shareWidth(area.width, [62, 38]) : [wholeWidth];
    const list = { title: this.#listTitle(), lines: this.#drawRows(contentWidth(left), height), width: left };
    if (!isWide) return [{ height, panes: [list] }];
    const title = line(row === undefined ? '' : this.#spec.nameOf(row));
    const lines = row === undefined ? [] : drawCard(this.#spec, row, this.#host, contentWidth(right));
    return [{ height, panes: [list, { title, lines, width: right }] }];
  }

  #listTitle(): Line {
    const { rows, selectedKeys } = this.#list;
    const count =
      this.#loaded.length < this.#total
        ? this.#host.localize(texts.some, { shown: rows.length, total: this.#total })
        : String(rows.length);
    const parts = [`${this.#host.localize(this.title)} ${count}`];
    if (selectedKeys.size > 0) parts.push(this.#host.localize(texts.selected, { count: selectedKeys.size }));
    if (this.#spec.tagOf !== undefined) parts.push(this.#host.localize(texts.tag, { tag: this.#tagText() }));
    if (this.#filter !== '') parts.push(`/${this.#filter}`);
    return line(parts.join(` ${this.#host.glyphs.separator} `));
  }

  #tagText(): string {
    if (this.#tag === undefined) return this.#host.localize(texts.anyTag);
    return this.#tag === '' ? this.#host.localize(texts.noTag) : this.#tag;
  }

  #drawRows(width: number, height: number): readonly Line[] {
    if (!this.#isLoaded) return [line(span(this.#host.localize(texts.loading), 'dim'))];
    if (this.#list.rows.length === 0)
      return [line(span(this.#host.localize(this.#filter === '' ? texts.none : texts.noMatch), 'dim'))];
    const columns = screenColumns(this.#spec, this.#host);
    return drawList(this.#list, columns, { width, height }, this.#host.glyphs);
  }
}

const texts = {
  enable: { en: 'enable {name}?', zh: '启用 {name}？' },
  disable: { en: 'disable {name}?', zh: '停用 {name}？' },
  remove: { en: 'delete {name}?', zh: '删除 {name}？' },
  many: { en: '{count} {title}', zh: '{count} 个{title}' },
  tag: { en: 'tag: {tag}', zh: '标签：{tag}' },
  anyTag: { en: 'any', zh: '不限' },
  noTag: { en: 'none', zh: '无' },
  some: { en: '{shown} of {total}', zh: '{shown}/{total}' },
  selected: { en: '{count} selected', zh: '已选 {count} 项' },
  loading: { en: 'Loading', zh: '加载中' },
  none: { en: 'Nothing here yet', zh: '暂无内容' },
  noMatch: { en: 'Nothing matches the filter', zh: '没有符合条件的内容' },
} as const;

/**
 * Views 3 to 10: a list of entities with a card beside it (or instead of it), and actions on them.
 */

import type { Text } from '../base/text.ts';
import { type Band, contentWidth, type Pane, shareWidth } from '../kit/frame.ts';
import { type Line, line, span } from '../kit/lines.ts';
import { List } from '../kit/list.ts';
import { CardPane } from './card-pane.ts';
import { drawList } from './columns.ts';
import { drawCard, screenColumns } from './entity-drawing.ts';
import { FieldList } from './entity-fields.ts';
import { EntityRows } from './entity-rows.ts';
import type { EntityCommand, EntitySpec, Target } from './entity-spec.ts';
import { drawListTitle } from './entity-title.ts';
import { type Action, listActions } from './keys.ts';
import { pressList } from './press-list.ts';
import { wideFrom } from './sizes.ts';
import type { Area, Host, View } from './view.ts';

/** The next page is loaded when the cursor is this near the end. */
const rowsAhead = 20;

export class EntityView<Row> implements View {
  readonly title: Text;
  readonly #host: Host;
  readonly #spec: EntitySpec<Row>;
  readonly #list: List<Row>;
  readonly #rows: EntityRows<Row>;
  /** Present while a row is edited. */
  #fields: FieldList<Row> | undefined;
  #isOpen = false;
  readonly #card: CardPane;
  /** Why the list could not be loaded the last time. */
  #failure: Error | undefined;

  constructor(host: Host, spec: EntitySpec<Row>) {
    this.#host = host;
    this.#spec = spec;
    this.title = spec.title;
    this.#rows = new EntityRows(host, spec);
    this.#list = new List<Row>((row) => spec.keyOf(row));
    this.#card = new CardPane(host);
  }

  get filter(): string {
    return this.#rows.filter;
  }
  setFilter(text: string): void {
    this.#list.clearSelected(); // actions must not apply to rows that are not shown
    this.#load(() => this.#rows.restart(text)).catch((error: Error) =>
      this.#host.showMessage(error.message, 'error'),
    );
  }
  focus(key: number): void {
    this.#list.moveTo(key);
    this.#isOpen = true;
  }

  actions(): readonly Action[] {
    if (this.#fields !== undefined) return this.#fields.actions();
    const own: Action[] = this.#isOpen ? [] : ['up', 'open', 'select'];
    if (this.#spec.test !== undefined) own.push('test');
    if (this.#spec.toggle !== undefined) own.push('toggle');
    if (this.#spec.fields !== undefined) own.push('edit');
    own.push(...(this.#spec.commands ?? []).map(({ action }) => action));
    if (!this.#isOpen) own.push('filter');
    if (!this.#isOpen && this.#spec.tags !== undefined) own.push(this.#spec.tags.action);
    if (!this.#isOpen && this.#spec.orders !== undefined) own.push('order');
    if (this.#spec.remove !== undefined) own.push('remove');
    return this.#isOpen ? this.#card.actions(own) : [...own, 'reload', ...listActions];
  }

  enter(): Promise<void> {
    return this.#load(() => this.#rows.reload());
  }

  async #load(load: () => Promise<boolean>): Promise<void> {
    try {
      if (await load()) this.#showRows();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
    this.#host.redraw();
  }

  #showRows(): void {
    const before = this.#list.current();
    this.#list.setRows(this.#rows.shown());
    if (before !== undefined && (this.#fields !== undefined || this.#isOpen)) this.#follow(before);
  }

  /** Another row in the place of one that is gone is not what was opened to be looked at or edited. */
  #follow(before: Row): void {
    const { keyOf, nameOf } = this.#spec;
    const row = this.#list.current();
    if (row !== undefined && keyOf(row) === keyOf(before)) return;
    if (this.#fields !== undefined)
      this.#host.showMessage(this.#host.localize(texts.gone, { name: nameOf(before) }), 'warn');
    this.#fields = undefined;
    this.#isOpen = false;
  }

  async press(action: Action): Promise<void> {
    const row = this.#list.current();
    const command = this.#spec.commands?.find((one) => one.action === action);
    if (this.#fields !== undefined && row !== undefined && action !== 'back') {
      await this.#fields.press(action, row, this.#spec.nameOf(row), () => this.enter());
    } else if (this.#fields !== undefined) this.#fields = undefined;
    else if (command !== undefined) await this.#run(command);
    else if (this.#isOpen && this.#card.press(action)) return;
    else if (action === 'back') this.#isOpen = false;
    else if (action === 'open' && row !== undefined) this.#open(row);
    else if (action === 'previous') this.#list.move(-1);
    else if (action === 'next') await this.#move('down');
    else if (action === 'select') this.#list.toggleSelected();
    else if (action === 'reload') await this.enter();
    else if (action === 'toggle') this.#toggle();
    else if (action === 'remove') this.#remove();
    else if (action === 'edit') this.#edit();
    else if (action === 'order') await this.#regroup(() => this.#rows.nextOrder());
    else if (action === this.#spec.tags?.action) await this.#regroup(() => this.#rows.nextTag());
    else if (action === 'test' && row !== undefined) await this.#spec.test?.(this.#host, row);
    else await this.#move(action);
  }

  /** The card stays with its row while others come and go. */
  #open(row: Row): void {
    this.#isOpen = true;
    this.#card.open(this.#spec.keyOf(row));
    this.#list.hold();
  }

  async #run(command: EntityCommand<Row>): Promise<void> {
    const target = this.#target();
    if (target.rows.length > 0 || command.isForAll) await command.run(this.#host, target);
  }

  #target(): Target<Row> {
    const rows = this.#list.selectedRows();
    return { rows, name: rows.length === 0 ? '' : this.#nameOf(rows), reload: () => this.enter() };
  }

  /** Moves the cursor; near the end of what is loaded, the next page follows. */
  async #move(action: Action): Promise<void> {
    pressList(this.#list, action);
    if (this.#list.rowsBelow() < rowsAhead) await this.#load(() => this.#rows.loadMore());
  }

  async #regroup(step: () => Promise<void>): Promise<void> {
    await step();
    this.#list.clearSelected(); // actions must not apply to rows that are not shown
    this.#showRows();
  }

  #edit(): void {
    if (this.#spec.fields === undefined || this.#list.current() === undefined) return;
    this.#list.hold();
    this.#fields = new FieldList(this.#host, this.#spec.fields);
  }

  #toggle(): void {
    const { toggle } = this.#spec;
    const rows = this.#list.selectedRows();
    const first = rows[0];
    if (toggle === undefined || first === undefined) return;
    const on = !toggle.isOn(first);
    this.#ask(
      on ? texts.enable : texts.disable,
      rows,
      (row) => toggle.apply(this.#host, row, on),
      (row) => toggle.apply(this.#host, row, !on),
    );
  }

  #remove(): void {
    const { remove } = this.#spec;
    if (remove !== undefined)
      this.#ask(texts.remove, this.#list.selectedRows(), (row) => remove(this.#host, row));
  }

  /** Asks before a dangerous action. The question names the row, or the number of rows. */
  #ask(
    verb: Text,
    rows: readonly Row[],
    step: (row: Row) => Promise<void>,
    back?: (row: Row) => Promise<void>,
  ): void {
    if (rows.length === 0) return;
    this.#host.ask(verb, this.#nameOf(rows), async () => {
      const done: Row[] = [];
      try {
        for (const row of rows) {
          await step(row);
          done.push(row);
        }
        this.#list.clearSelected();
      } finally {
        // Also after a partial failure: the list shows what was done, and U takes that back.
        if (back !== undefined && done.length > 0) this.#offerUndo(done, back);
        await this.enter();
      }
    });
  }

  #offerUndo(rows: readonly Row[], back: (row: Row) => Promise<void>): void {
    this.#host.showChange(
      this.#host.localize(texts.changed, { name: this.#nameOf(rows) }),
      async () => {
        for (const row of rows) await back(row);
      },
    );
  }

  #nameOf(rows: readonly Row[]): string {
    const first = rows[0];
    if (rows.length === 1 && first !== undefined) return this.#spec.nameOf(first);
    return this.#host.localize(texts.many, {
      count: rows.length,
      title: this.#host.localize(this.title).toLowerCase(),
    });
  }

  draw(area: Area): readonly Band[] {
    const height = area.height - 1;
    const wholeWidth = area.width - 2;
    const isWide = area.width >= wideFrom;
    const row = this.#list.current();
    if (this.#fields !== undefined && row !== undefined) {
      return this.#fields.draw(
        row,
        [this.#host.localize(this.title), this.#spec.nameOf(row)],
        area,
      );
    }
    if (this.#isOpen && !isWide && row !== undefined) {
      const path = `${this.#host.localize(this.title)} ${this.#host.glyphs.inside} ${this.#spec.nameOf(row)}`;
      const pane = this.#drawCard(row, path, { width: wholeWidth, height }, area);
      return [{ height: Math.max(height, pane.lines.length), panes: [pane] }];
    }
    const [left = wholeWidth, right = 0] = isWide ? shareWidth(area.width, [62, 38]) : [wholeWidth];
    const title = drawListTitle(this.#spec, this.#rows, this.#list, this.#host, this.#isOpen);
    const list = { title, lines: this.#drawRows(contentWidth(left), height), width: left };
    if (!isWide) return [{ height, panes: [list] }];
    const size = { width: right, height };
    const card =
      row === undefined
        ? { lines: [], width: right }
        : this.#drawCard(row, this.#spec.nameOf(row), size, area);
    return [{ height, panes: [list, card] }];
  }

  #drawCard(row: Row, title: string, size: { width: number; height: number }, area: Area): Pane {
    const lines = drawCard(this.#spec, row, this.#host, contentWidth(size.width));
    return this.#card.draw({ key: this.#spec.keyOf(row), title, lines }, size, area, this.#isOpen);
  }

  #drawRows(width: number, height: number): readonly Line[] {
    if (!this.#rows.isLoaded) return [this.#drawWaiting()];
    if (this.#list.rows.length === 0)
      return [
        line(span(this.#host.localize(this.filter === '' ? texts.none : texts.noMatch), 'dim')),
      ];
    const columns = screenColumns(this.#spec, this.#host);
    return drawList(this.#list, columns, { width, height }, this.#host.glyphs);
  }

  #drawWaiting(): Line {
    if (this.#failure === undefined) return line(span(this.#host.localize(texts.loading), 'dim'));
    return line(
      span(this.#host.localize(texts.failed, { reason: this.#failure.message }), 'error'),
    );
  }
}

const texts = {
  enable: { en: 'enable {name}?', zh: '启用 {name}？' },
  disable: { en: 'disable {name}?', zh: '停用 {name}？' },
  remove: { en: 'delete {name}?', zh: '删除 {name}？' },
  many: { en: '{count} {title}', zh: '{count} 个{title}' },
  gone: { en: '{name} is not in the list any more', zh: '列表中已没有 {name}' },
  changed: { en: 'Changed {name}', zh: '已修改 {name}' },
  loading: { en: 'Loading', zh: '加载中' },
  failed: { en: 'Not loaded: {reason} (r tries again)', zh: '加载失败：{reason}（按 r 重试）' },
  none: { en: 'Nothing here yet', zh: '暂无内容' },
  noMatch: { en: 'Nothing matches the filter', zh: '没有符合条件的内容' },
} as const;

/** Model of the terminal screens, independent of the terminal: current view, effect of keys, content of every line. */
import type { Client } from '../../core/contract/client.ts';
import { type Clock, nowSeconds } from '../../core/kernel/clock.ts';
import { type Language, localize, type Text, type TextParams } from '../base/text.ts';
import { type Band, drawFrame } from '../kit/frame.ts';
import type { Glyphs } from '../kit/glyphs.ts';
import { fitLine, type Line, line, span, spread, textOf, widthOf } from '../kit/lines.ts';
import { editText, textInput } from '../kit/text-input.ts';
import type { Tone } from '../kit/tones.ts';
import type { Money } from '../show/money.ts';
import { drawHeader } from './header.ts';
import { HelpScroll } from './help.ts';
import { drawKeys, drawQuestion, drawTyping } from './hint-line.ts';
import { findAction, listActions } from './keys.ts';
import { LiveData } from './live-data.ts';
import type { Mode, Typing } from './mode.ts';
import { plainSize, smallest, wideFrom } from './sizes.ts';
import { drawTabs } from './tabs.ts';
import type { Host, View } from './view.ts';

export interface AppSettings {
  readonly client: Client;
  readonly clock: Clock;
  readonly language: Language;
  readonly glyphs: Glyphs;
  readonly money: Money;
  /** The name of the gateway in the header. */
  readonly address: string;
  /** Writes directly to the terminal, for the clipboard sequence. */
  writeRaw(sequence: string): void;
  quit(): void;
}

export class AppModel implements Host {
  readonly #settings: AppSettings;
  readonly #listeners = new Set<() => void>();
  readonly #views: readonly View[];
  #current = 0;
  #mode: Mode = { kind: 'keys' };
  #message: { readonly text: string; readonly tone: Tone } | undefined;
  /** Takes the last change back. */
  #undo: (() => Promise<void>) | undefined;
  #hasQuit = false;
  /** Resolves when the step that the last key began has ended. */
  settled: Promise<void> = Promise.resolve();
  readonly live: LiveData;
  /** Incremented by each redraw, so that React sees a new state. */
  version = 0;

  constructor(settings: AppSettings, makeViews: (host: Host) => readonly View[]) {
    this.#settings = settings;
    this.live = new LiveData(settings.client, settings.clock, () => this.redraw());
    this.#views = makeViews(this);
  }

  get client() {
    return this.#settings.client;
  }
  get clock() {
    return this.#settings.clock;
  }
  get glyphs() {
    return this.#settings.glyphs;
  }
  get cells() {
    return { language: this.#settings.language, money: this.#settings.money, now: nowSeconds(this.#settings.clock) };
  }
  get #view(): View {
    const view = this.#views[this.#current];
    if (view === undefined) throw new RangeError(`no view ${this.#current}`);
    return view;
  }

  localize(text: Text, params?: TextParams): string {
    return localize(this.#settings.language, text, params);
  }
  showMessage(text: string, tone: Tone): void {
    this.#message = { text, tone };
    this.redraw();
  }
  ask(question: Text, name: string, onConfirm: () => Promise<void>): void {
    this.#mode = { kind: 'question', question, name, onConfirm };
    this.redraw();
  }
  prompt(label: Text, name: string, initial: string, onEnter: (text: string) => Promise<void> | void): void {
    this.#mode = { kind: 'typing', label, name, input: textInput(initial), onEnter };
    this.redraw();
  }
  promptSecret(label: Text, name: string, onEnter: (text: string) => Promise<void>): void {
    this.#mode = { kind: 'typing', label, name, input: textInput(), isSecret: true, onEnter };
    this.redraw();
  }
  showChange(text: string, undo: () => Promise<void>): void {
    this.#undo = undo;
    this.showMessage(`${text} ${this.glyphs.separator} ${this.localize(texts.undoHint)}`, 'ok');
  }
  copy(text: string): void {
    this.#settings.writeRaw(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  }
  redraw(): void {
    this.version++;
    for (const listener of this.#listeners) listener();
  }
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether keys are letters of a text. */
  get isTyping(): boolean {
    return this.#mode.kind === 'typing';
  }
  get hasQuit(): boolean {
    return this.#hasQuit;
  }
  #quit(): void {
    this.#hasQuit = true;
    this.#settings.quit();
  }

  /** `key` is a name (`up`, `enter`, `ctrl+c`) or the character typed. */
  press(key: string): void {
    this.#message = undefined;
    const mode = this.#mode;
    if (key === 'ctrl+c') this.#quit();
    else if (mode.kind === 'typing') this.#type(mode, key);
    else if (mode.kind === 'question') this.#answer(mode.onConfirm, key);
    else if (mode.kind === 'help') {
      if (!mode.scroll.press(findAction(key, listActions))) this.#mode = { kind: 'keys' };
    } else this.#pressKey(key);
    this.redraw();
  }

  #pressKey(key: string): void {
    const number = key === '0' ? 10 : /^[1-9]$/.test(key) ? Number(key) : 0;
    if (number > 0 && number <= this.#views.length) {
      this.#show(number - 1);
      return;
    }
    const action = findAction(key, this.#view.actions());
    if (action === undefined) return;
    if (action === 'quit') this.#quit();
    else if (action === 'help') this.#mode = { kind: 'help', scroll: new HelpScroll() };
    else if (action === 'undo') this.#takeBack();
    else if (action === 'command') this.#typeCommand();
    else if (action === 'filter') this.#typeFilter(this.#view);
    else this.#attempt(async () => this.#view.press(action));
  }

  #takeBack(): void {
    const undo = this.#undo;
    this.#undo = undefined;
    if (undo === undefined) this.showMessage(this.localize(texts.nothingToUndo), 'dim');
    else
      this.#attempt(async () => {
        await undo();
        this.showMessage(this.localize(texts.undone), 'ok');
        await this.#view.enter?.();
      });
  }

  #show(index: number): void {
    this.#current = index;
    this.#attempt(async () => this.#view.enter?.());
  }

  #typeCommand(): void {
    const onEnter = (text: string) => this.#runCommand(text.trim());
    this.#mode = { kind: 'typing', label: texts.commandSign, name: '', input: textInput(), onEnter };
  }

  /** The filter applies while it is typed; escape restores the one before. */
  #typeFilter(view: View): void {
    const before = view.filter ?? '';
    const onChange = (text: string) => view.setFilter?.(text);
    this.#mode = {
      kind: 'typing',
      label: texts.filterSign,
      name: '',
      input: textInput(before),
      onChange,
      onCancel: () => onChange(before),
    };
  }

  #type(mode: Typing, key: string): void {
    if (key === 'enter' || key === 'escape') {
      this.#mode = { kind: 'keys' };
      if (key === 'escape') mode.onCancel?.();
      else this.#attempt(async () => mode.onEnter?.(mode.input.text));
      return;
    }
    const input = editText(mode.input, key);
    this.#mode = { ...mode, input };
    if (input.text !== mode.input.text) mode.onChange?.(input.text);
  }

  /** `:channels` shows a view; text after the name filters it: `:users linxi`. */
  #runCommand(text: string): void {
    const [name = '', ...rest] = text.split(/\s+/);
    if (name === '') return;
    const prefix = name.toLowerCase();
    const index = this.#views.findIndex(
      (view) => view.title.en.toLowerCase().startsWith(prefix) || view.title.zh.startsWith(prefix),
    );
    if (prefix === 'q' || prefix === 'quit') this.#quit();
    else if (index < 0) this.showMessage(this.localize(texts.unknownCommand, { name }), 'warn');
    else {
      this.#show(index);
      this.#view.setFilter?.(rest.join(' '));
    }
  }

  #answer(onConfirm: () => Promise<void>, key: string): void {
    this.#mode = { kind: 'keys' };
    if (key === 'y' || key === 'Y') this.#attempt(onConfirm);
    else this.showMessage(this.localize(texts.unchanged), 'dim');
  }

  goTo(title: Text, key?: number): void {
    const index = this.#views.findIndex((view) => view.title === title);
    if (index < 0) return;
    this.#current = index;
    this.#attempt(async () => {
      await this.#view.enter?.();
      if (key !== undefined) this.#view.focus?.(key);
    });
  }

  /** Runs a step that may fail; its error is shown in the hint line. */
  #attempt(step: () => Promise<void> | void): void {
    this.settled = (async () => {
      try {
        await step();
      } catch (error) {
        this.showMessage(error instanceof Error ? error.message : String(error), 'error');
      }
      this.redraw();
    })();
  }

  /** Every line of the screen, `rows` of them and `columns` wide. */
  draw(columns: number, rows: number): readonly Line[] {
    if (columns < smallest.columns || rows < smallest.rows) return this.#drawTooSmall(columns, rows);
    const inner = columns - 4;
    const head: Band = {
      panes: [{ lines: [drawHeader(this, this.#settings.address, inner), this.#drawTabs(inner, columns)], width: columns - 2 }],
      height: 2,
    };
    const foot: Band = { panes: [{ lines: [this.#drawHint(inner)], width: columns - 2 }], height: 1 };
    // Rules: one above each band and one at the end; those of the view's bands are part of its height.
    const area = { width: columns, height: rows - head.height - foot.height - 3 };
    const body = this.#mode.kind === 'help' ? this.#mode.scroll.draw(this, this.#view.actions(), area) : this.#view.draw(area);
    return drawFrame([head, ...body, foot], columns, this.glyphs);
  }

  /** The screen as lines to be read one after the other: no frame, one pane below the other. */
  drawPlain(): readonly Line[] {
    const { columns, rows } = plainSize;
    const area = { width: columns, height: rows };
    const bands = this.#mode.kind === 'help' ? this.#mode.scroll.draw(this, this.#view.actions(), area) : this.#view.draw(area);
    const isFilled = (shown: Line) => textOf(shown).trim() !== '';
    const panes = bands.flatMap(({ panes: shown, height }) =>
      shown.map(({ title, lines }) => ({ title, lines: lines.slice(0, height).filter(isFilled) })),
    );
    return [
      line(''),
      line(span(`${this.#current + 1}/${this.#views.length} ${this.localize(this.#view.title)}`)),
      ...panes.flatMap(({ title, lines }) => [...(title === undefined ? [] : [title]), ...lines]),
      this.#drawHint(columns),
    ];
  }

  #drawTooSmall(columns: number, rows: number): readonly Line[] {
    const text = this.localize(texts.tooSmall, { columns, rows, ...{ wantColumns: smallest.columns, wantRows: smallest.rows } });
    return [fitLine(line(span(text, 'warn')), columns, this.glyphs)];
  }

  #drawTabs(width: number, columns: number): Line {
    const status = columns >= wideFrom ? this.#view.status?.() : undefined;
    const titles = this.#views.map((view) => this.localize(view.title));
    const tabs = drawTabs(titles, this.#current, width - (status === undefined ? 0 : widthOf(status) + 2));
    return status === undefined ? tabs : spread(tabs, status, width, this.glyphs);
  }

  #drawHint(width: number): Line {
    const mode = this.#mode;
    if (mode.kind === 'question') return drawQuestion(mode.question, mode.name, width, this);
    if (mode.kind === 'typing') return drawTyping(mode, width, this);
    if (mode.kind === 'help')
      return line(span(this.localize(mode.scroll.isScrollable ? texts.scrollOrBack : texts.anyKey), 'dim'));
    if (this.#message !== undefined) return line(span(this.#message.text, this.#message.tone));
    if (this.live.failure !== undefined) return line(span(this.live.failure.message, 'error'));
    return drawKeys(this.#view.actions(), width, this);
  }
}

const texts = {
  undoHint: { en: 'U takes it back', zh: '按 U 撤销' },
  undone: { en: 'Taken back', zh: '已撤销' },
  nothingToUndo: { en: 'Nothing to undo', zh: '没有可撤销的修改' },
  unchanged: { en: 'Nothing was changed', zh: '未做更改' },
  unknownCommand: { en: 'No view named {name}', zh: '没有名为 {name} 的视图' },
  commandSign: { en: ':', zh: ':' },
  filterSign: { en: '/', zh: '/' },
  scrollOrBack: {
    en: 'up, down, PgUp and PgDn scroll; any other key goes back',
    zh: '上下键、PgUp、PgDn 滚动，其他键返回',
  },
  anyKey: { en: 'press any key to go back', zh: '按任意键返回' },
  tooSmall: {
    en: 'The terminal is {columns}x{rows}; at least {wantColumns}x{wantRows} is needed.',
    zh: '终端大小为 {columns}x{rows}，至少需要 {wantColumns}x{wantRows}。',
  },
} as const;

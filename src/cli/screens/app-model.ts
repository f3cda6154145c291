/**
 * Model of the terminal screens, independent of the terminal: current view, effect of keys, content
 * of every line.
 */
import type { Client } from '../../core/contract/client.ts';
import { type Clock, nowSeconds } from '../../core/kernel/clock.ts';
import { describeFailure } from '../base/failure.ts';
import { type Language, localize, type Text, type TextParams } from '../base/text.ts';
import type { Glyphs } from '../kit/glyphs.ts';
import type { Line } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import type { Money } from '../show/money.ts';
import { drawApp, drawPlainApp, type Shown } from './app-drawing.ts';
import { KeyModes } from './key-modes.ts';
import { findAction } from './keys.ts';
import { LiveData } from './live-data.ts';
import { isTooSmall } from './sizes.ts';
import { viewKeys } from './tabs.ts';
import type { Host, View } from './view.ts';

/** Leaves the screens for as long as the work takes, and draws them anew. */
export type Lend = (work: () => Promise<void>) => Promise<void>;

export interface AppSettings {
  readonly client: Client;
  readonly clock: Clock;
  readonly language: Language;
  readonly glyphs: Glyphs;
  readonly money: Money;
  /** The name of the gateway in the header. */
  readonly address: string;
  /** Runs the person's editor on a text, while the terminal is lent to it. */
  runEditor(fileName: string, text: string): Promise<string>;
  /** Writes directly to the terminal, for the clipboard sequence. */
  writeRaw(sequence: string): void;
  quit(): void;
}

export class AppModel implements Host {
  readonly #settings: AppSettings;
  readonly #listeners = new Set<() => void>();
  readonly #views: readonly View[];
  readonly #modes = new KeyModes({
    attempt: (step) => this.#attempt(step),
    showUnchanged: () => this.showMessage(this.localize(texts.unchanged), 'dim'),
  });
  #current = 0;
  #message: { readonly text: string; readonly tone: Tone } | undefined;
  /** Takes the last change back. */
  #undo: (() => Promise<void>) | undefined;
  #hasQuit = false;
  /** Nothing of the view can be seen, not even a question. */
  #isTooSmall = false;
  /** Resolves when the step that the last key began has ended. */
  settled: Promise<void> = Promise.resolve();
  readonly live: LiveData;
  /** Lends the terminal to another program; undefined until the screens are drawn in one. */
  lendTerminal: Lend | undefined;
  /** Whether another program has the terminal. */
  isLent = false;
  /** Gives the terminal back to the shell; undefined until the screens are drawn in one. */
  suspend: (() => void) | undefined;
  /** Incremented by each redraw, so that React sees a new state. */
  version = 0;

  constructor(settings: AppSettings, makeViews: (host: Host) => readonly View[]) {
    this.#settings = settings;
    this.live = new LiveData(settings.client, settings.clock, {
      late: this.localize(texts.late),
      changed: () => this.redraw(),
      recovered: () => this.#reconnect(),
    });
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
    return {
      language: this.#settings.language,
      money: this.#settings.money,
      now: nowSeconds(this.#settings.clock),
    };
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
  ask(question: Text, name: string, onConfirm: () => Promise<void>, onDecline?: () => void): void {
    this.#modes.ask(question, name, onConfirm, onDecline);
    this.redraw();
  }
  prompt(
    label: Text,
    name: string,
    initial: string,
    onEnter: (text: string) => Promise<void> | void,
  ): void {
    this.#modes.prompt(label, name, initial, onEnter);
    this.redraw();
  }
  promptSecret(label: Text, name: string, onEnter: (text: string) => Promise<void>): void {
    this.#modes.promptSecret(label, name, onEnter);
    this.redraw();
  }
  showChange(text: string, undo: () => Promise<void>): void {
    this.#undo = undo;
    this.showMessage(`${text} ${this.glyphs.separator} ${this.localize(texts.undoHint)}`, 'ok');
  }
  get openEditor(): Host['openEditor'] {
    const lend = this.lendTerminal;
    if (lend === undefined) return undefined;
    return async (fileName, text) => {
      let edited = text;
      await lend(async () => {
        edited = await this.#settings.runEditor(fileName, text);
      });
      return edited;
    };
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
    return this.#modes.current.kind === 'typing';
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
    if (key === 'ctrl+c') this.#quit();
    else if (key === 'ctrl+z') this.suspend?.();
    else if (this.#isTooSmall) {
      // A question that nobody can read must not be answered.
      if (key === 'q' && !this.isTyping) this.#quit();
    } else if (!this.#modes.press(key)) this.#pressKey(key);
    this.redraw();
  }

  #pressKey(key: string): void {
    const index = key.length === 1 ? viewKeys.indexOf(key) : -1;
    if (index >= 0 && index < this.#views.length) {
      this.#show(index);
      return;
    }
    const action = findAction(key, this.#view.actions());
    if (action === undefined) return;
    if (action === 'quit') this.#quit();
    else if (action === 'help') this.#modes.showHelp();
    else if (action === 'undo') this.#takeBack();
    else if (action === 'command')
      this.#modes.typeCommand(
        (text) => this.#suggest(text),
        (text) => this.#runCommand(text),
      );
    else if (action === 'filter') this.#modes.typeFilter(this.#view);
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

  /** The names of views that begin with a text. */
  #suggest(text: string): readonly string[] {
    const prefix = text.toLowerCase();
    return this.#views
      .map((view) => this.localize(view.title).toLowerCase())
      .filter((name) => name.startsWith(prefix));
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

  goTo(title: Text, key?: number): void {
    const index = this.#views.findIndex((view) => view.title === title);
    if (index < 0) return;
    this.#current = index;
    this.#attempt(async () => {
      await this.#view.enter?.();
      if (key !== undefined) this.#view.focus?.(key);
    });
  }

  /** After the gateway was away, the list may be old, or was never loaded. */
  #reconnect(): void {
    this.#attempt(async () => {
      await this.#view.enter?.();
      if (this.#message === undefined || this.#message.tone === 'error')
        this.showMessage(this.localize(texts.reconnected), 'ok');
    });
  }

  /** Runs a step that may fail; its error is shown in the hint line. */
  #attempt(step: () => Promise<void> | void): void {
    this.settled = (async () => {
      try {
        await step();
      } catch (error) {
        this.showMessage(describeFailure(error, this.#settings.language).message, 'error');
      }
      this.redraw();
    })();
  }

  get #shown(): Shown {
    return {
      host: this,
      views: this.#views,
      current: this.#current,
      mode: this.#modes.current,
      message: this.#message,
      canUndo: this.#undo !== undefined,
      address: this.#settings.address,
    };
  }

  /** Every line of the screen, `rows` of them and `columns` wide. */
  draw(columns: number, rows: number): readonly Line[] {
    this.#isTooSmall = isTooSmall(columns, rows);
    return drawApp(this.#shown, columns, rows);
  }

  /** The screen as lines to be read one after the other. */
  drawPlain(): readonly Line[] {
    return drawPlainApp(this.#shown);
  }
}

const texts = {
  undoHint: { en: 'U takes it back', zh: '按 U 撤销' },
  undone: { en: 'Taken back', zh: '已撤销' },
  nothingToUndo: { en: 'Nothing to undo', zh: '没有可撤销的修改' },
  unchanged: { en: 'Nothing was changed', zh: '未做更改' },
  unknownCommand: { en: 'No view named {name}', zh: '没有名为 {name} 的视图' },
  late: { en: 'The gateway does not reply', zh: '网关没有响应' },
  reconnected: { en: 'Connected again', zh: '已重新连接' },
} as const;

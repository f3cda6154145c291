/**
 * Interfaces of the views of the terminal screens and of their host. Views draw lines and do not
 * depend on React.
 */
import type { Client } from '../../core/contract/client.ts';
import type { Clock } from '../../core/kernel/clock.ts';
import type { Text, TextParams } from '../base/text.ts';
import type { Band } from '../kit/frame.ts';
import type { Glyphs } from '../kit/glyphs.ts';
import type { Line } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import type { View as Cells } from '../show/table.ts';
import type { Action } from './keys.ts';
import type { LiveData } from './live-data.ts';

/** Width of the whole frame in cells, and lines for the view's bands including their rules. */
export interface Area {
  readonly width: number;
  readonly height: number;
  /** The lines are read one after the other: none is left out of a card. */
  readonly isPlain?: boolean;
}

export const viewTitles = {
  overview: { en: 'Overview', zh: '总览' },
  requests: { en: 'Requests', zh: '请求' },
  channels: { en: 'Channels', zh: '渠道' },
  users: { en: 'Users', zh: '用户' },
  tokens: { en: 'Tokens', zh: '令牌' },
  codes: { en: 'Codes', zh: '兑换码' },
  options: { en: 'Options', zh: '设置项' },
  tasks: { en: 'Tasks', zh: '任务' },
  drawings: { en: 'Drawings', zh: '绘图' },
  ledger: { en: 'Ledger', zh: '账本' },
  budgets: { en: 'Budgets', zh: '预算' },
  conversations: { en: 'Conversations', zh: '会话' },
  audit: { en: 'Audit', zh: '审计' },
} as const;

export interface Host {
  readonly client: Client;
  readonly clock: Clock;
  readonly glyphs: Glyphs;
  readonly live: LiveData;
  /** Language, money and current time for table columns. */
  readonly cells: Cells;
  localize(text: Text, params?: TextParams): string;
  /** Shows a message in the hint line until the next key. */
  showMessage(text: string, tone: Tone): void;
  /**
   * Asks a question about `{name}` in the hint line: y confirms, any other key declines. A long
   * name is shortened.
   */
  ask(question: Text, name: string, onConfirm: () => Promise<void>, onDecline?: () => void): void;
  /** Asks for a line of text in the hint line, after a label with `{name}`; escape cancels. */
  prompt(
    label: Text,
    name: string,
    initial: string,
    onEnter: (text: string) => Promise<void> | void,
  ): void;
  /** As `prompt`, for a secret: what is typed is not shown. */
  promptSecret(label: Text, name: string, onEnter: (text: string) => Promise<void>): void;
  /** Shows a message about a change, and keeps the step that takes it back for the undo key. */
  showChange(text: string, undo: () => Promise<void>): void;
  /**
   * Opens a text in the person's editor and resolves with what it became; undefined where no editor
   * can be opened.
   */
  readonly openEditor: ((fileName: string, text: string) => Promise<string>) | undefined;
  /** Copies to the clipboard of the user's terminal, also over SSH. */
  copy(text: string): void;
  /** Shows another view, with the cursor on the row of a key. */
  goTo(title: Text, key?: number): void;
  redraw(): void;
}

export interface View {
  readonly title: Text;
  /** Currently available actions, in the order of the hint line. The help lists them all. */
  actions(): readonly Action[];
  /**
   * The view's part of the frame. Bands with their rules must fill the height of the area exactly.
   */
  draw(area: Area): readonly Band[];
  press(action: Action): void | Promise<void>;
  /** Shown in the tab line on wide terminals. */
  status?(): Line;
  /** Called when the view is shown. */
  enter?(): void | Promise<void>;
  /** Puts the cursor on a row. */
  focus?(key: number): void;
  /** Filter text, entered after `/`; absent: the view has no filter. */
  readonly filter?: string;
  setFilter?(text: string): void;
}

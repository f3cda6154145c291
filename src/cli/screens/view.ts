/** What a view of the terminal screens is, and what it may ask of its host. Views draw lines; they know no React. */
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

/** Cells of the whole frame, and lines for the view's bands, their rules included. */
export interface Area {
  readonly width: number;
  readonly height: number;
}

export const viewTitles = {
  overview: { en: 'Overview', zh: '总览' },
  requests: { en: 'Requests', zh: '请求' },
  channels: { en: 'Channels', zh: '渠道' },
  users: { en: 'Users', zh: '用户' },
  tokens: { en: 'Tokens', zh: '令牌' },
  codes: { en: 'Codes', zh: '兑换码' },
  options: { en: 'Options', zh: '选项' },
} as const;

export interface Host {
  readonly client: Client;
  readonly clock: Clock;
  readonly glyphs: Glyphs;
  readonly live: LiveData;
  /** Language, money and the time now, as table columns want them. */
  readonly cells: Cells;
  say(text: Text, params?: TextParams): string;
  /** A sentence in the hint line until the next key. */
  tell(text: string, tone: Tone): void;
  /** A question in the hint line: y answers yes, any other key no. */
  ask(question: string, agreed: () => Promise<void>): void;
  /** Into the clipboard of the person's own terminal, also over SSH. */
  copy(text: string): void;
  /** Shows another view, with the cursor on the row of a key. */
  goTo(title: Text, key?: number): void;
  redraw(): void;
}

export interface View {
  readonly title: Text;
  /** What it understands now, in the order of the hint line. */
  actions(): readonly Action[];
  /** Its part of the frame; bands with their rules fill the area's height exactly. */
  draw(area: Area): readonly Band[];
  press(action: Action): void | Promise<void>;
  /** Shown in the tab line on wide terminals. */
  status?(): Line;
  /** Called when it comes up. */
  enter?(): void | Promise<void>;
  /** Puts the cursor on a row. */
  focus?(key: number): void;
  /** Text typed after `/`; absent: this view has no filter. */
  readonly filter?: string;
  setFilter?(text: string): void;
}

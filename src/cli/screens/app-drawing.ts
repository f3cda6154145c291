/** The lines of the whole screen: header, tabs, the view or the list of keys, and the hint line. */
import type { Text } from '../base/text.ts';
import { type Band, drawFrame } from '../kit/frame.ts';
import {
  cut,
  fitLine,
  type Line,
  line,
  span,
  spread,
  textOf,
  widthOf,
  wrap,
} from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import { drawHeader } from './header.ts';
import { drawHelp } from './help.ts';
import { drawKeys, drawQuestion, drawTyping } from './hint-line.ts';
import type { Mode } from './mode.ts';
import { isTooSmall, plainSize, smallest, wideFrom } from './sizes.ts';
import { drawTabs } from './tabs.ts';
import type { Area, Host, View } from './view.ts';

export interface Shown {
  readonly host: Host;
  readonly views: readonly View[];
  /** Place of the current view. */
  readonly current: number;
  readonly mode: Mode;
  readonly message: { readonly text: string; readonly tone: Tone } | undefined;
  /** Whether there is a change that can be taken back. */
  readonly canUndo: boolean;
  /** The name of the gateway in the header. */
  readonly address: string;
}

function viewOf({ views, current }: Shown): View {
  const view = views[current];
  if (view === undefined) throw new RangeError(`no view ${current}`);
  return view;
}

/** Every line of the screen, `rows` of them and `columns` wide. */
export function drawApp(shown: Shown, columns: number, rows: number): readonly Line[] {
  const { host, address } = shown;
  if (isTooSmall(columns, rows)) return drawTooSmall(host, columns, rows);
  const inner = columns - 4;
  const head: Band = {
    panes: [
      {
        lines: [drawHeader(host, address, inner), drawTabLine(shown, inner, columns)],
        width: columns - 2,
      },
    ],
    height: 2,
  };
  // Rules: one above each band and one at the end; those of the view's bands are part of its
  // height.
  const body = drawBody(shown, { width: columns, height: rows - head.height - 1 - 3 });
  const foot: Band = {
    panes: [{ lines: [drawHint(shown, inner)], width: columns - 2 }],
    height: 1,
  };
  return drawFrame([head, ...body, foot], columns, host.glyphs);
}

/** The screen as lines to be read one after the other: no frame, one pane below the other. */
export function drawPlainApp(shown: Shown): readonly Line[] {
  const { host, views, current } = shown;
  const { columns, rows } = plainSize;
  const isFilled = (one: Line) => textOf(one).trim() !== '';
  const panes = drawBody(shown, { width: columns, height: rows, isPlain: true }).flatMap(
    ({ panes: inBand, height }) =>
      inBand.map(({ title, lines }) => ({ title, lines: lines.slice(0, height).filter(isFilled) })),
  );
  return [
    line(''),
    line(span(`${current + 1}/${views.length} ${host.localize(viewOf(shown).title)}`)),
    ...panes.flatMap(({ title, lines }) => [...(title === undefined ? [] : [title]), ...lines]),
    drawHint(shown, columns),
  ];
}

function drawBody(shown: Shown, area: Area): readonly Band[] {
  const view = viewOf(shown);
  if (shown.mode.kind === 'help')
    return drawHelp(shown.mode.scroll, shown.host, view.actions(), area);
  return view.draw(area);
}

/** The message in as many lines as the terminal has, however small it is. */
function drawTooSmall(host: Host, columns: number, rows: number): readonly Line[] {
  const sizes = { columns, rows, wantColumns: smallest.columns, wantRows: smallest.rows };
  return wrap(host.localize(texts.tooSmall, sizes), columns)
    .slice(0, rows)
    .map((part) => fitLine(line(span(part, 'warn')), columns, host.glyphs));
}

function drawTabLine(shown: Shown, width: number, columns: number): Line {
  const { host, views, current } = shown;
  const status = columns >= wideFrom ? viewOf(shown).status?.() : undefined;
  const titles = views.map((view) => host.localize(view.title));
  const tabs = drawTabs(titles, current, width - (status === undefined ? 0 : widthOf(status) + 2));
  return status === undefined ? tabs : spread(tabs, status, width, host.glyphs);
}

function drawHint(shown: Shown, width: number): Line {
  const { host, mode, message, canUndo } = shown;
  if (mode.kind === 'question') return drawQuestion(mode.question, mode.name, width, host);
  if (mode.kind === 'typing') return drawTyping(mode, width, host);
  if (mode.kind === 'help')
    return line(
      span(host.localize(mode.scroll.isScrollable ? texts.scrollOrBack : texts.anyKey), 'dim'),
    );
  const { failure } = host.live;
  // While the gateway is away, every call fails for the same reason.
  if (message !== undefined && (failure === undefined || message.tone !== 'error'))
    return line(span(message.text, message.tone));
  if (failure !== undefined) return drawLost(host, failure, width);
  return drawKeys(viewOf(shown).actions(), canUndo, width, host);
}

/** Why there are no new figures, and that the screens go on by themselves. */
function drawLost(host: Host, failure: Error, width: number): Line {
  const end = ` ${host.glyphs.separator} ${host.localize(texts.retrying)}`;
  return line(
    span(cut(failure.message, Math.max(0, width - widthOf(line(end))), host.glyphs), 'error'),
    end,
  );
}

const texts = {
  scrollOrBack: {
    en: 'up, down, PgUp and PgDn scroll; any other key goes back',
    zh: '上下键、PgUp、PgDn 滚动，其他键返回',
  },
  anyKey: { en: 'press any key to go back', zh: '按任意键返回' },
  retrying: { en: 'trying again', zh: '正在重试' },
  tooSmall: {
    en: 'The terminal is {columns}x{rows}; at least {wantColumns}x{wantRows} is needed.',
    zh: '终端大小为 {columns}x{rows}，至少需要 {wantColumns}x{wantRows}。',
  },
} as const satisfies Record<string, Text>;

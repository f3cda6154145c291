/**
 * The last line of the screens: keys, a message, a question or a line being typed. All of them fit
 * into the line.
 */
import type { Text, TextParams } from '../base/text.ts';
import type { Glyphs } from '../kit/glyphs.ts';
import { cut, graphemesOf, type Line, line, plainText, span, widthOf } from '../kit/lines.ts';
import { drawTextInput, type TextInput } from '../kit/text-input.ts';
import { type Action, bindings, globalActions, listActions, signOf } from './keys.ts';
import type { Typing } from './mode.ts';

interface Screen {
  readonly glyphs: Glyphs;
  localize(text: Text, params?: TextParams): string;
}

/**
 * The text with a name in it, in at most `width` cells: a long name is shortened, so that the
 * question and its choices stay visible.
 */
function fillName(text: Text, name: string, width: number, screen: Screen): string {
  const room = width - widthOf(line(screen.localize(text, { name: '' })));
  return screen.localize(text, { name: cut(name, Math.max(1, room), screen.glyphs) });
}

const choices = ' y/N';

export function drawQuestion(question: Text, name: string, width: number, screen: Screen): Line {
  return line(span(fillName(question, name, width - choices.length, screen) + choices, 'warn'));
}

/** Least width for the typed text, where the label must not take all of the line. */
const inputMinimum = 20;

/** The label shows at least this much of a name. */
const nameMinimum = 14;

export function drawTyping(typing: Typing, width: number, screen: Screen): Line {
  const text = plainText(typing.input.text);
  const suggested = typing.suggest?.(text).join(' ') ?? '';
  const helpRoom = Math.max(0, width - inputMinimum - 4);
  const help = `   ${suggested === '' ? screen.localize(texts.typing) : cut(suggested, helpRoom, screen.glyphs)}`;
  const labelWidth = widthOf(
    line(screen.localize(typing.label, { name: cut(typing.name, nameMinimum, screen.glyphs) })),
  );
  // A long label takes the place of the help, which is the same for every field.
  const helpWidth =
    labelWidth + inputMinimum + widthOf(line(help)) <= width ? widthOf(line(help)) : 0;
  const label = fillName(typing.label, typing.name, width - helpWidth - inputMinimum, screen);
  const room = Math.max(10, width - helpWidth - widthOf(line(label)));
  const input = { text, cursor: graphemesOf(plainText(beforeCursor(typing.input))).length };
  const shown = typing.isSecret ? { ...input, text: '*'.repeat(graphemesOf(text).length) } : input;
  return [
    ...line(label),
    ...drawTextInput(shown, room),
    ...(helpWidth === 0 ? [] : [span(help, 'dim')]),
  ];
}

function beforeCursor({ text, cursor }: TextInput): string {
  return graphemesOf(text).slice(0, cursor).join('');
}

/** Shown in the hint line only as part of a pair, or not at all. */
const hidden: ReadonlySet<Action> = new Set<Action>([...listActions.slice(1), 'next', 'suspend']);

/**
 * The keys that fit. If the line is too long, what every program has is omitted first, then the
 * view's own actions from the end; `?` lists them all.
 */
export function drawKeys(
  actions: readonly Action[],
  canUndo: boolean,
  width: number,
  screen: Screen,
): Line {
  const own = [...new Set(actions)].filter((action) => !hidden.has(action));
  const everywhere = globalActions.filter(
    (action) => !hidden.has(action) && (canUndo || action !== 'undo'),
  );
  let shown: readonly Action[] = [...new Set([...own, ...everywhere])];
  const spare: readonly Action[] = [
    'undo',
    'priority',
    'command',
    'reload',
    'order',
    'up',
    'quit',
    'remove',
    'open',
    ...own.toReversed(),
  ];
  for (const action of spare) {
    if (widthOf(keyLine(shown, screen)) <= width) break;
    shown = shown.filter((one) => one !== action);
  }
  return keyLine(shown, screen);
}

function keyLine(actions: readonly Action[], screen: Screen): Line {
  return actions.flatMap((action, index) => [
    span(`${index === 0 ? '' : '  '}${signOf(action, screen.glyphs)}`, 'title'),
    span(` ${screen.localize(bindings[action].label)}`, 'dim'),
  ]);
}

const texts = {
  typing: { en: 'enter applies, esc cancels', zh: '回车确认，Esc 取消' },
} as const;

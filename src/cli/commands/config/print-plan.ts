/** The plan for people: each entry with what is added, changed and removed. */
import { plainText } from '../../kit/lines.ts';
import type { Tone } from '../../kit/tones.ts';
import type { Output } from '../../show/output.ts';
import type { Change } from './plan.ts';
import { hidden } from './values.ts';

const marks: Readonly<Record<Change['action'], readonly [string, Tone]>> = {
  add: ['+', 'ok'],
  change: ['~', 'warn'],
  remove: ['-', 'error'],
};

export function printChange(output: Output, { section, name, action, lines }: Change): void {
  const [mark, tone] = marks[action];
  const shown = (text: string) => cut(text.replaceAll(hidden, output.localize(secretText)));
  output.line(output.paint(tone, plainText(`${mark} ${section}.${name}`)));
  for (const { path, from, to } of lines.slice(0, shownLines)) {
    const label = path === '' ? '' : `${plainText(path)}: `;
    if (from !== undefined && to !== undefined)
      output.line(output.paint('warn', `    ~ ${label}${shown(from)} → ${shown(to)}`));
    else if (to !== undefined) output.line(output.paint('ok', `    + ${label}${shown(to)}`));
    else output.line(output.paint('error', `    - ${label}${shown(from ?? '')}`));
  }
  const more = lines.length - shownLines;
  if (more > 0) output.line(output.paint('dim', `    ${output.localize(moreText, { more })}`));
}

/** The most lines of an entry. */
const shownLines = 40;
/** The most characters of a value in a diff. */
const shownLength = 200;
function cut(text: string): string {
  const line = plainText(text.replaceAll(/\s+/g, ' '));
  return line === '' ? '""' : line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
}

const secretText = { en: hidden, zh: '（机密）' } as const;
const moreText = {
  en: '… and {more} more (--json has all)',
  zh: '……另有 {more} 处（--json 显示全部）',
} as const;

/**
 * Values of several lines: edited in the person's editor, checked when it has ended, and offered
 * again if something is wrong.
 */
import { describeFailure } from '../base/failure.ts';
import type { Text } from '../base/text.ts';
import type { Host } from './view.ts';

/** `json`: laid out and checked. `lines`: a list, one entry per line. `text`: as it is. */
export type LongFormat = 'json' | 'lines' | 'text';

export interface LongText {
  /** Of the file, and in messages. */
  readonly name: string;
  readonly format: LongFormat;
  readonly value: string;
  /** Saves a changed value; what it throws is shown, and the text can be edited again. */
  save(value: string): Promise<void>;
}

/** Opens the editor; false where there is none, as for screen readers. */
export async function editLongText(
  host: Host,
  { name, format, value, save }: LongText,
): Promise<boolean> {
  const { openEditor } = host;
  if (openEditor === undefined) return false;
  const before = layOut(format, value);
  const edit = async (text: string): Promise<void> => {
    const edited = await openEditor(`${name}.${format === 'json' ? 'json' : 'txt'}`, text);
    if (edited.trim() === before.trim())
      return host.showMessage(host.localize(texts.unchanged), 'dim');
    try {
      await save(readBack(host, format, edited));
    } catch (error) {
      host.ask(texts.again, describeFailure(error, host.cells.language).message, () =>
        edit(edited),
      );
    }
  };
  await edit(before);
  return true;
}

function layOut(format: LongFormat, value: string): string {
  if (format === 'lines') return `${value.split(',').join('\n')}\n`;
  if (format === 'text') return value;
  try {
    return `${JSON.stringify(JSON.parse(value), null, 2)}\n`;
  } catch {
    return value; // empty, or stored before it was checked
  }
}

function readBack(host: Host, format: LongFormat, edited: string): string {
  if (format === 'text') return edited.replace(/\n$/, '');
  if (format === 'lines') {
    const entries = edited.split(/[\n,]/).map((entry) => entry.trim());
    return entries.filter(Boolean).join(',');
  }
  const text = edited.trim();
  if (text === '') return text;
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new Error(jsonProblem(host, error instanceof Error ? error.message : String(error)));
  }
}

/** The place first: the hint line may not have room for all of it. */
function jsonProblem(host: Host, message: string): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  const reason = message.replace(/ in JSON at position.*$/, '');
  return line === undefined
    ? reason
    : host.localize(texts.place, { line, column: column ?? '', reason });
}

const texts = {
  unchanged: { en: 'Nothing was changed', zh: '未做更改' },
  again: { en: '{name} - edit again?', zh: '{name}，重新编辑？' },
  place: {
    en: 'line {line}, column {column}: {reason}',
    zh: '第 {line} 行第 {column} 列：{reason}',
  },
} as const satisfies Record<string, Text>;

/** What reaches a terminal: names that others chose, and tables of many rows. */
import { expect, test } from 'vitest';
import { Output, type OutputSettings } from '../../../src/cli/show/output.ts';
import { printCard, printTable, type View } from '../../../src/cli/show/table.ts';

function capture(environment: NodeJS.ProcessEnv = { NO_COLOR: '1' }, columns?: number) {
  const written: string[] = [];
  const sink: OutputSettings['stdout'] = {
    write: (text) => written.push(text),
    ...(columns === undefined ? {} : { isTTY: true, columns }),
  };
  const output = new Output({
    stdout: sink,
    stderr: sink,
    language: 'en',
    json: false,
    quiet: false,
    environment,
  });
  return { output, text: () => written.join('') };
}

const evil = 'a\u001b]0;title\u0007\u001b[2J\u009b31m\u202eb\rc';
const view = { language: 'en', now: 0 } as View;
const columns = [
  { title: { en: 'id', zh: '编号' }, value: (row: number) => String(row), align: 'right' },
  { title: { en: 'name', zh: '名称' }, value: (row: number) => `n${row}` },
] as const;

test('a name in a line cannot command the terminal, and our own colours stay', () => {
  const { output, text } = capture({ FORCE_COLOR: '1' });
  output.line(`${output.paint('error', 'red')}\t${evil}`);
  expect(text()).toBe('\u001b[31mred\u001b[39m\ta ]0;title  [2J 31mb c\n');
});

test('JSON has escapes for what a terminal would obey, and the same value', () => {
  const { output, text } = capture();
  output.printJson({ name: evil });
  expect(text()).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  expect(JSON.parse(text())).toEqual({ name: evil });
});

test('cells stand under their titles; Chinese takes two cells, and the end of a line is no space', () => {
  const { output, text } = capture();
  printTable(output, columns, [7, 12345], view);
  printCard(output, columns, 7, view);
  expect(text()).toBe('   id  name\n    7  n7\n12345  n12345\nid    7\nname  n7\n');
});

test('two hundred thousand rows are a table like two', { timeout: 60_000 }, () => {
  const { output, text } = capture({ NO_COLOR: '1' }, 80);
  printTable(
    output,
    columns,
    Array.from({ length: 200_000 }).map((_, at) => at),
    view,
  );
  const lines = text().trimEnd().split('\n');
  expect(lines).toHaveLength(200_001);
  expect(lines.at(-1)).toBe('199999  n199999');
});

/** The first line of every generated document. */
export const generatedNote =
  '<!-- Written by `node scripts/generate.ts` from the declarations in `src`. Do not edit. -->';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Escapes a table cell: a pipe or a line break would end it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}

import { type Loose, recordsOf, textOf } from '../../kit/read-json.ts';

/** Summary paragraphs, or the thinking itself where a server shows it. */
export function reasoningText(item: Loose): string {
  const summary = recordsOf(item.summary).flatMap((part) => textOf(part.text) ?? []);
  const texts =
    summary.length > 0
      ? summary
      : recordsOf(item.content).flatMap((part) => textOf(part.text) ?? []);
  return texts.join('\n\n');
}

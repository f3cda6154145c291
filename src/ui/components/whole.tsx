/** Text in which dates, times and amounts are never broken (docs/rules/console.md#whole). */
import type { ReactNode } from 'react';
import classes from './money-text.module.css';

const wholes =
  /((?:\d{4}-)?\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?(?!\d)|[−-]?[$¥€£]\s?\d[\d,]*(?:\.\d+)?)/;

/** A text with each of them in one piece; what is no text is left as it is. */
export function Whole({ text }: { readonly text: ReactNode }) {
  if (typeof text !== 'string') return text;
  return text.split(wholes).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no names, and keep their places
      <span key={index} className={classes.text} data-whole>
        {part}
      </span>
    ),
  );
}

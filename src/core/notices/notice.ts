/** A message to a person outside the console (docs/rules/notices.md#notice-content). */
export interface Notice {
  /**
   * The kind and subject of the notice; rate limits apply per type: `channel_update_3_2`,
   * `channel_test`.
   */
  readonly type: string;
  /** What the limit counts by itself within the type, such as an order. Nobody is sent it. */
  readonly subject?: string;
  readonly title: string;
  /** HTML in which each `{{value}}` stands for the next of `values`. */
  readonly content: string;
  readonly values: readonly string[];
  /** One of the values that is an address to open. */
  readonly link?: string;
}

/**
 * Fills the values into the content, each formatted by `write`. Placeholders without a value stay.
 */
export function fillContent({ content, values }: Notice, write: (value: string) => string): string {
  let next = 0;
  return content.replace(/\{\{value\}\}/g, (placeholder) => {
    const value = values[next];
    next += 1;
    return value === undefined ? placeholder : write(value);
  });
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Writes values for an e-mail: escaped, and the link of the notice as a link. */
export const valueAsHtml =
  ({ link }: Notice) =>
  (value: string): string => {
    const text = escapeHtml(value);
    return value === link ? `<a href="${text}">${text}</a>` : text;
  };

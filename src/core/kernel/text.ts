/** A short text in both languages of the product. */
export interface Text {
  readonly en: string;
  readonly zh: string;
}

/**
 * `text` with each `{count:code|codes}` replaced by its first form if the parameter `count` is 1,
 * else by its second.
 */
export function chooseForms(
  text: string,
  params: Readonly<Record<string, string | number>>,
): string {
  return text.replace(
    /\{(\w+):([^{}|]*)\|([^{}|]*)\}/g,
    (_, name: string, one: string, many: string) => (String(params[name]) === '1' ? one : many),
  );
}

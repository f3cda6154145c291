/** The little XML that a bucket speaks. */

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" } as const;

/** The text of the first element of this name; '': there is none. */
export function textOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '';
  return text.replace(
    /&(amp|lt|gt|quot|apos);/g,
    (_, entity: keyof typeof entities) => entities[entity],
  );
}

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/**
 * An address that is framed, a document with styles of its own, or Markdown with HTML
 * (docs/rules/options.md#site-content).
 */
export type ContentKind = 'empty' | 'address' | 'document' | 'text';

export function contentKind(text: string): ContentKind {
  const trimmed = text.trim();
  if (trimmed === '') return 'empty';
  if (/^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)) return 'address';
  return /^<(!doctype\s+html|html[\s>])/i.test(trimmed) || /<style[\s>]/i.test(trimmed)
    ? 'document'
    : 'text';
}

/**
 * What a framed page may do. A page of this site gets an origin of its own, because with the site's
 * origin and scripts a frame can leave its sandbox.
 */
export function frameSandbox(address: string, ownOrigin: string): string {
  const isForeign = new URL(address).origin !== ownOrigin;
  return [
    'allow-scripts',
    'allow-forms',
    'allow-popups',
    'allow-popups-to-escape-sandbox',
    ...(isForeign ? ['allow-same-origin'] : []),
  ].join(' ');
}

/**
 * Texts of the site: what they are, and how they become HTML (docs/rules/options.md#site-content).
 */
import { Marked } from 'marked';
import type { ForeignLabel } from './foreign-content.ts';
import { sanitizeDocument, sanitizeHtml } from './sanitize-html.ts';

/** Longer texts are taken as HTML: reading them as Markdown would stop the page for seconds. */
const longestMarkdown = 100_000;

const markdown = new Marked({ gfm: true, breaks: true, async: false });

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Markdown, and the HTML in it, as HTML without scripts. `inline`: a line without paragraphs. */
export function renderContent(
  text: string,
  label: ForeignLabel,
  { inline = false }: { readonly inline?: boolean } = {},
): string {
  if (text.length > longestMarkdown) return sanitizeHtml(text, label);
  try {
    return sanitizeHtml(String(inline ? markdown.parseInline(text) : markdown.parse(text)), label);
  } catch {
    // Nested too deep to be read.
    return `<pre>${escapeHtml(text)}</pre>`;
  }
}

/** A document for the `srcdoc` of a frame; its links open in a new tab. */
export function renderDocument(html: string, label: ForeignLabel): string {
  return `<!doctype html>${sanitizeDocument(html, label)}`;
}

/**
 * HTML that an operator or a model wrote, made safe: no scripts, no handlers, no forms, no frames;
 * links leave in a new tab, and nothing is loaded from elsewhere
 * (docs/rules/security.md#shown-html).
 */
import createPurifier, { type Config } from 'dompurify';
import { type ForeignLabel, frameHead, replaceForeign } from './foreign-content.ts';

const purifier = createPurifier(window);

const neverAllowed = ['form', 'input', 'button', 'textarea', 'select', 'iframe'];

/** The sanitised element, in a document that loads nothing. */
function purify(html: string, rules: Config): Element {
  const root = purifier.sanitize(html, { ...rules, RETURN_DOM: true });
  return root instanceof Element ? root : document.implementation.createHTMLDocument().body;
}

/**
 * For a place in a page of the console: without styles and names, which would reach beyond that
 * place.
 */
export function sanitizeHtml(html: string, label: ForeignLabel): string {
  const root = purify(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', ...neverAllowed],
    FORBID_ATTR: ['style', 'class', 'id', 'name'],
    ALLOW_DATA_ATTR: false,
  });
  replaceForeign(root, label);
  return root.innerHTML;
}

/**
 * A whole document for a frame of its own, with its styles. What these name is kept from loading by
 * {@link frameHead}.
 */
export function sanitizeDocument(html: string, label: ForeignLabel): string {
  const root = purify(html, {
    USE_PROFILES: { html: true, svg: true },
    ADD_TAGS: ['style'],
    FORBID_TAGS: neverAllowed,
    WHOLE_DOCUMENT: true,
    FORCE_BODY: false,
  });
  replaceForeign(root, label);
  const head = root.querySelector('head') ?? root;
  head.prepend(...frameHead(root.ownerDocument));
  return root.outerHTML;
}

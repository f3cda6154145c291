/** HTML that an operator wrote, made safe: no scripts, no handlers, no forms, no frames; links leave in a new tab. */
import createPurifier from 'dompurify';

const purifier = createPurifier(window);
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noreferrer');
});

const neverAllowed = ['form', 'input', 'button', 'textarea', 'select', 'iframe'];

/** For a place in a page of the console: without styles and names, which would reach beyond that place. */
export function sanitizeHtml(html: string): string {
  return purifier.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', ...neverAllowed],
    FORBID_ATTR: ['style', 'class', 'id', 'name'],
    ALLOW_DATA_ATTR: false,
  });
}

/** A whole document for a frame of its own, with its styles. */
export function sanitizeDocument(html: string): string {
  return purifier.sanitize(html, {
    USE_PROFILES: { html: true, svg: true },
    ADD_TAGS: ['style'],
    FORBID_TAGS: neverAllowed,
    WHOLE_DOCUMENT: true,
    FORCE_BODY: false,
  });
}

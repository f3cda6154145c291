/**
 * Pictures, music and videos in sanitised HTML: those of this gateway stay, those of other sites
 * become links that name their host, and whatever else would load something goes
 * (docs/rules/security.md#shown-html).
 */
import { isCallPath } from '../../core/kernel/picture-addresses.ts';
import { ownFilePaths } from '../../core/kernel/shown-addresses.ts';
import './foreign-content.css';
import { isOwnOrigin, type ShownFile, shownFile } from './shown-file.ts';

export type ForeignKind = 'image' | 'audio' | 'video';
/** What the link to a file of another site says, in the reader's language. */
export type ForeignLabel = (kind: ForeignKind, host: string) => string;
type Foreign = Extract<ShownFile, { kind: 'foreign' }>;

/** Attributes with addresses, other than those that are looked at below. */
const neverKept = [
  'srcset',
  'imagesrcset',
  'sizes',
  'background',
  'lowsrc',
  'dynsrc',
  'ping',
  'cite',
  'longdesc',
];

/** `root`: in a document that loads nothing, as the sanitiser returns it. */
export function replaceForeign(root: Element, label: ForeignLabel): void {
  for (const element of [root, ...root.querySelectorAll('*')]) {
    for (const name of neverKept) element.removeAttribute(name);
    const tag = element.localName;
    if (tag === 'a' || tag === 'area') mendLink(element);
    else if (tag === 'img') mendPicture(element, label);
    else if (tag === 'audio' || tag === 'video') mendPlayer(element, tag, label);
    else if (tag === 'image') mendSvgPicture(element);
    else if (tag === 'source' || tag === 'track') mendSource(element);
    else removeReferences(element);
  }
}

/** Links leave in a new tab. What would make a call of this site is no link. */
function mendLink(element: Element): void {
  const address = element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '';
  const url = URL.canParse(address, window.location.href)
    ? new URL(address, window.location.href)
    : undefined;
  if (url !== undefined && isOwnOrigin(url) && isCallPath(url.pathname)) {
    element.removeAttribute('href');
    element.removeAttribute('xlink:href');
  }
  element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer');
}

function mendPicture(element: Element, label: ForeignLabel): void {
  const file = shownFile(element.getAttribute('src') ?? '');
  if (file?.kind === 'own') return element.setAttribute('src', file.src);
  const alt = element.getAttribute('alt')?.trim() ?? '';
  if (file === undefined) return element.replaceWith(alt);
  const link = element.closest('a');
  if (link === null) return element.replaceWith(linkTo(element, file, 'image', alt, label));
  // A link cannot be in a link: it keeps its text, and what it pictured follows it.
  element.replaceWith(alt || file.host);
  link.after(' ', linkTo(element, file, 'image', '', label));
}

function mendPlayer(element: Element, kind: 'audio' | 'video', label: ForeignLabel): void {
  const poster = shownFile(element.getAttribute('poster') ?? '');
  if (poster?.kind === 'own') element.setAttribute('poster', poster.src);
  else element.removeAttribute('poster');
  element.removeAttribute('autoplay');
  const sources = [element, ...element.querySelectorAll('source')].map((from) =>
    shownFile(from.getAttribute('src') ?? ''),
  );
  const own = sources.find((file) => file?.kind === 'own');
  if (own?.kind === 'own') {
    for (const child of element.querySelectorAll('source')) child.remove();
    return element.setAttribute('src', own.src);
  }
  const foreign = sources.find((file) => file?.kind === 'foreign');
  if (foreign?.kind === 'foreign') element.replaceWith(linkTo(element, foreign, kind, '', label));
  else element.remove();
}

function mendSvgPicture(element: Element): void {
  const file = shownFile(element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '');
  element.removeAttribute('xlink:href');
  if (file?.kind === 'own') element.setAttribute('href', file.src);
  else element.remove();
}

function mendSource(element: Element): void {
  const file = shownFile(element.getAttribute('src') ?? '');
  if (file?.kind === 'own') element.setAttribute('src', file.src);
  else element.remove();
}

/**
 * References within the same document are all that other elements may have. Styles are left to the
 * frame's policy.
 */
function removeReferences(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    const isReference =
      name === 'href' ||
      name === 'xlink:href' ||
      name === 'src' ||
      name === 'poster' ||
      name === 'data';
    const isElsewhere = isReference
      ? !value.startsWith('#')
      : name !== 'style' && /url\(\s*['"]?(?!#)/i.test(value);
    if (isElsewhere) element.removeAttribute(name);
  }
}

function linkTo(
  { ownerDocument }: Element,
  { href, host }: Foreign,
  kind: ForeignKind,
  alt: string,
  label: ForeignLabel,
): Element {
  const link = ownerDocument.createElement('a');
  link.setAttribute('href', href);
  link.setAttribute('data-foreign', kind);
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
  link.textContent = [alt, label(kind, host)].filter((part) => part !== '').join(' · ');
  return link;
}

/**
 * First in a framed document: its policy, which holds for its styles, too, and the look of links to
 * files of other sites.
 */
export function frameHead(document: Document): readonly Element[] {
  const own = ownFilePaths.map((path) => window.location.origin + path).join(' ');
  const policy = document.createElement('meta');
  policy.setAttribute('http-equiv', 'Content-Security-Policy');
  policy.setAttribute(
    'content',
    `default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data: ${own}; media-src ${own}`,
  );
  const look = document.createElement('style');
  look.textContent =
    '[data-foreign]{display:inline-block;padding:2px 8px;border:1px dashed;border-radius:6px;font-size:13px}';
  return [policy, look];
}

/**
 * What an address of a picture may be that an administrator enters
 * (docs/rules/security.md#shown-addresses).
 */
import { isOwnFilePath, isWebAddress } from './shown-addresses.ts';

/** Stands for no site at all: what a path means does not depend on where the site is. */
const anySite = 'https://site.invalid';
const pictureData =
  /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml|x-icon|vnd\.microsoft\.icon)[;,]/i;
const pictureName = /\.(png|jpe?g|gif|webp|avif|svg|ico)$/i;
/** Calls, and pages that make a call with what is in their address. */
const calls = /^\/(api|public|users|oauth|v1|v1beta|v2|suno)(\/|$)/i;

/** Whether a page can show what is at this address as a picture and loads nothing that is none. */
export function isPictureAddress(text: string): boolean {
  return pictureData.test(text) || isWebAddress(text) || ownPicture(text) !== undefined;
}

/**
 * Path and query of a picture of this site: a file of `ownFilePaths`, or another path that is named
 * like a picture.
 */
export function ownPicture(text: string): string | undefined {
  const isPath = /^(\/(?![/\\])|[\w-][\w./-]*(\?|$))/.test(text) && !/[\\\p{Cc}]/u.test(text);
  if (!isPath || !URL.canParse(text, anySite)) return undefined;
  const { pathname, search } = new URL(text, anySite);
  const isPicture =
    isOwnFilePath(pathname) || (pictureName.test(pathname) && !calls.test(pathname));
  return isPicture ? pathname + search : undefined;
}

/**
 * Whether opening the path makes a call, so that texts do not link to it. `pathname`: as URL gives
 * it.
 */
export function isCallPath(pathname: string): boolean {
  return calls.test(pathname);
}

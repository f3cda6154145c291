/** How the key is called that shortcuts are pressed with: ⌘ on Apple's machines, Ctrl elsewhere. */
export const modKey = /Mac|iP(hone|ad|od)/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

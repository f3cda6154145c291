/**
 * The path of a request's target, without its query. Clients that take this server for a proxy send
 * a whole address (RFC 9112, 3.2.2), and those whose base address ends with a slash begin with two.
 */
export function requestPath(target: string): string {
  const mark = target.indexOf('?');
  const full = mark === -1 ? target : target.slice(0, mark);
  if (full.startsWith('/') && full[1] !== '/') return full;
  return full.replace(/^https?:\/\/[^/]*/i, '').replace(/^\/*/, '/');
}

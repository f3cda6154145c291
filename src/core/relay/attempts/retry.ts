/** Whether another channel may be tried (spec, relay 7). */

/** The table of the family: after status_code_mapping, before any byte reached the client. */
export function isRetryableStatus(status: number, channelType: number): boolean {
  if (status >= 200 && status < 300) return false;
  if (status === 307 || status === 429) return true;
  // 400 of Anthropic is often about the account (credit, beta), which another channel may not share.
  if (status === 400) return channelType === 14;
  if (status === 408 || status === 504 || status === 524) return false;
  return true;
}
